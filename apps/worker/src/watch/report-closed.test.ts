import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeploymentEnded, LaneRecord } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import type { TrailEvent } from '@nereid/domain/trail';
import { aDeployment } from '@nereid/domain/testing';
import type { Client } from '@temporalio/client';
import { defaultDataConverter, TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { asOrdered, testSignatures } from '../testing/test-signatures.ts';
import { reportClosed } from './report-closed.ts';
import { publishTo } from '../testing/publish-to.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

const { signal } = new AbortController();

let signalled: DeploymentEnded[];
let audited: TrailEvent[];

beforeEach(() => {
  signalled = [];
  audited = [];
});

/** Its terraform workflow was ended by force `minutes` after midnight. */
interface Lost {
  readonly id: string;
  readonly minutes: number;
  /** Its end was on its way into the records. */
  readonly isEnding?: boolean;
}

function contextWith(lost: readonly Lost[], running: (rootName: string) => string | undefined, applies = false) {
  const context: Partial<Record<keyof WorkerContext | 'begunApplies', unknown>> = {
    temporal: temporalWith(lost, applies),
    logger: pino({ level: 'silent' }),
    signatures: testSignatures,
    server: { current: () => ({ budgets: [] }) },
    laneRecords: {
      read: async (_repository: unknown, rootName: string) => ({
        record: await recordOf(rootName, running(rootName)),
        version: '1',
      }),
    },
    deploymentRecords: { find: () => Promise.resolve(undefined) },
    pullRequestRecords: { readPreview: () => Promise.resolve(undefined) },
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    // The apply of `anApply` had permission.
    laneTurns: {
      read: () => Promise.resolve({ last: { deployment: { id: 'd1' }, pool: DEFAULT_POOL, jobIds: ['d1-apply-1'] } }),
    },
    publish: publishTo((event) => Promise.resolve(void audited.push(event))),
  };
  return context as unknown as WorkerContext; // What the function asks for.
}

async function recordOf(rootName: string, running: string | undefined): Promise<Partial<LaneRecord>> {
  const repository = { owner: 'acme', name: 'infra', installationId: 1 };
  return {
    repository,
    rootName,
    ...(running !== undefined && {
      running: await asOrdered(repository, { ...aDeployment({ status: 'preparing' }), id: running }),
    }),
  };
}

function temporalWith(lost: readonly Lost[], applies: boolean): Client {
  const events = applies ? [anApply()] : [];
  const temporal = {
    withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
    workflow: {
      options: { loadedDataConverter: defaultDataConverter },
      async *list() {
        for (const { id, minutes } of lost) yield await Promise.resolve(listed(id, minutes));
      },
      getHandle: (workflowId: string) => ({
        workflowId,
        describe: () => Promise.resolve({ status: { name: 'TERMINATED' } }),
        fetchHistory: async () => ({
          events: lost.some(({ id, isEnding }) => id === workflowId && isEnding) ? [await anEnd(workflowId)] : events,
        }),
      }),
      signalWithStart: (_type: string, { signalArgs }: { readonly signalArgs: readonly DeploymentEnded[] }) =>
        Promise.resolve(signalled.push(...signalArgs)),
    },
  };
  return temporal as unknown as Client; // What the function asks for.
}

function listed(workflowId: string, minutes: number) {
  const typedSearchAttributes = new TypedSearchAttributes([
    { key: REPOSITORY, value: 'acme/infra' },
    { key: ROOT, value: `root of ${workflowId}` },
  ]);
  return { workflowId, closeTime: new Date(minutes * 60_000), typedSearchAttributes };
}

/** Asked for, and no end of it. */
function anApply() {
  const input = { payloads: [jsonOf({ jobId: 'd1-apply-1' })] };
  const scheduled = { activityType: { name: 'applyOnHost' }, taskQueue: { name: 'terraform@host-1' }, input };
  return { activityTaskScheduledEventAttributes: scheduled };
}

async function anEnd(id: string) {
  const repository = { owner: 'acme', name: 'infra', installationId: 1 };
  const deployment = await asOrdered(repository, { ...aDeployment({ status: 'succeeded' }), id });
  const input = {
    payloads: [jsonOf({ record: { version: 1, repository, deployment }, audits: [], deletesPlan: false })],
  };
  return { activityTaskScheduledEventAttributes: { activityType: { name: 'endDeployment' }, input } };
}

function jsonOf(value: unknown) {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}

const isRunningThere = (rootName: string) => rootName.replace('root of ', '');

describe('a deployment that was ended by force', () => {
  test('before its apply is told to its lane as cancelled', async () => {
    const { found } = await reportClosed(contextWith([{ id: 'd1', minutes: 1 }], isRunningThere), undefined, signal);

    expect(found).toEqual(['told its lane that d1 ended as cancelled']);
    expect(signalled).toMatchObject([{ deploymentId: 'd1', progress: { status: 'cancelled' }, isClosed: true }]);
    expect(audited).toEqual([]);
  });

  test('while it applied ends as unknown, in the audit trail too', async () => {
    await reportClosed(contextWith([{ id: 'd1', minutes: 1 }], isRunningThere, true), undefined, signal);

    expect(signalled).toMatchObject([{ deploymentId: 'd1', progress: { status: 'apply-outcome-unknown' } }]);
    expect(audited).toMatchObject([{ id: 'd1-apply-1:UNKNOWN' }]);
  });

  test('and whose lane has gone on is told to nobody', async () => {
    expect(
      await reportClosed(
        contextWith([{ id: 'd1', minutes: 1 }], () => 'd2'),
        undefined,
        signal,
      ),
    ).toEqual({ found: [] });

    expect(signalled).toEqual([]);
  });
});

describe('an end that was told, and was being stored', () => {
  const ending = { id: 'd1', minutes: 1, isEnding: true };
  const later = 2 * 60_000;

  async function report(more: Partial<Record<keyof WorkerContext, unknown>>, now: number) {
    const context = contextWith([ending], () => 'd2');
    return reportClosed({ ...context, ...more } as WorkerContext, undefined, signal, now); // As above.
  }

  test('is told again in the place of its workflow', async () => {
    await report({}, later);

    expect(signalled).toMatchObject([{ deploymentId: 'd1', progress: { status: 'succeeded' } }]);
  });

  test('is left to the lane that is its parent, for a minute', async () => {
    await report({}, later - 1_000);

    expect(signalled).toEqual([]);
  });

  test('is left to the lane that has it in its record', async () => {
    const ended = [{ ...aDeployment({ status: 'succeeded' }), id: 'd1' }];
    await report({ laneRecords: { read: () => Promise.resolve({ record: { ended }, version: '1' }) } }, later);

    expect(signalled).toEqual([]);
  });

  test('and is stored by now is nobody’s business', async () => {
    await report({ deploymentRecords: { find: () => Promise.resolve({}) } }, later);

    expect(signalled).toEqual([]);
  });
});

test('of very many, the oldest are told first, and the next round goes on behind them', async () => {
  const lost = Array.from({ length: 600 }, (_, index) => ({ id: `d${index}`, minutes: 600 - index }));
  const context = contextWith(lost, isRunningThere);

  const { found, after } = await reportClosed(context, undefined, signal);
  expect(found).toHaveLength(500);
  const oldest = lost.slice(100).map(({ id }) => id);
  expect(new Set(signalled.map(({ deploymentId }) => deploymentId))).toEqual(new Set(oldest));

  const second = await reportClosed(context, after, signal);
  expect(second.found).toHaveLength(100);
  expect(second.after).toBeUndefined();
});
