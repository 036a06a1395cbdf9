import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckRunRef, DeploymentRecord } from '@nereid/domain/deployment';
import type { Ending } from '@nereid/domain/deployment-actor';
import type { LaneRecord } from '@nereid/domain/lane';
import { auditEvent } from '@nereid/domain/trail';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { githubPages } from '@nereid/github-pages';
import { aRecord, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import { createCheckRunWrites } from '../../platform/memory/check-run-writes.ts';
import { endDeployment } from './end-deployment.ts';
import { endInLane } from './settle-returned.ts';
import { publishTo } from '../../testing/publish-to.ts';

const JOB = { id: 'a-job', startedAt: '2026-01-31T14:00:00.000Z' };
const deployment = { ...deploymentAt(3), progress: { ...progressAs('succeeded'), jobs: { apply: JOB } } };
const ENDING: Ending = {
  record: { version: 1, repository: REPOSITORY, deployment, endedAt: '2026-01-31T14:00:00.000Z' },
  audits: [auditEvent(REPOSITORY, deployment, JOB, 'SUCCESS')],
  deletesPlan: false,
  show: {},
};
const WRITTEN: readonly CheckRunRef[] = [{ id: 7, completed: true }];

let done: string[];
let failures: Record<string, Error>;
let slow: string | undefined;
let records: DeploymentRecord[];
let lanes: LaneRecord[];
let creationUncertain: boolean | undefined;
let patienceMs: number | undefined;

beforeEach(() => {
  done = [];
  failures = {};
  slow = undefined;
  records = [];
  lanes = [];
  creationUncertain = undefined;
});

async function step<T>(what: string, answer: T): Promise<T> {
  if (slow === what) return new Promise(() => undefined);
  const failure = failures[what];
  if (failure !== undefined) throw failure;
  done.push(what);
  return answer;
}

/** All that it asks; what was written before is nobody's. */
const aContext = () =>
  ({
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: { signalWithStart: () => step('lane', undefined) },
    },
    forge: {
      pages: githubPages('https://github.example'),
      status: {
        present: (
          _repository: unknown,
          _known: unknown,
          _content: unknown,
          options: { readonly creationUncertain: boolean; readonly patienceMs?: number },
        ) => {
          ({ creationUncertain, patienceMs } = options);
          return step('GitHub', WRITTEN);
        },
      },
    },
    signatures: testSignatures,
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    checkRunWrites: createCheckRunWrites(),
    publish: publishTo(() => step('audit trail', undefined)),
    deploymentRecords: {
      find: (_repository: unknown, _rootName: string, id: string) =>
        Promise.resolve(records.find((one) => one.deployment.id === id)),
      write: (record: DeploymentRecord) => {
        records.push(record);
        return step('record', record);
      },
    },
    laneRecords: {
      write: (record: LaneRecord) => {
        lanes.push(record);
        return step('record of the lane', 'v2');
      },
    },
    rootPlaces: { add: () => Promise.resolve() },
    server: { current: () => ({ commentNames: ['nereid'], windows: [], budgets: [] }) },
    config: {
      links: { consoleUrl: 'https://console.example' },
      temporal: { namespace: 'default' },
    },
    logger: pino({ level: 'silent' }),
  }) as unknown as WorkerContext;

const end = (ending = ENDING, number = 1, startToCloseMs = 60_000) =>
  endDeployment(aContext(), ending, { number, startToCloseMs, signal: new AbortController().signal });

test('its lane is told before GitHub, and both before storage, which keeps all check runs', async () => {
  expect(await end()).toEqual({
    shown: { kind: 'shown', deploymentId: deployment.id, checkRuns: WRITTEN },
    isStored: true,
  });
  expect(done).toEqual(['lane', 'GitHub', 'audit trail', 'record']);
  expect(records[0]?.deployment.checkRuns).toEqual(WRITTEN);
});

test('a lane that cannot be told is told again, before anybody else', async () => {
  failures = { lane: new Error('Temporal is away') };

  await expect(end()).rejects.toThrow('Temporal is away');
  expect(done).toEqual([]);
});

test('what another attempt created is looked for', async () => {
  await end(ENDING, 2);

  expect(creationUncertain).toBe(true);
});

test('while GitHub does not take it, it is stored with the check runs that there are, and shown later', async () => {
  failures = { GitHub: new ForgeUnavailableError('the forge is away', { status: 502 }) };

  expect(await end()).toEqual({ isStored: true });
  expect(done).toEqual(['lane', 'audit trail', 'record']);
  expect(records[0]?.deployment.checkRuns).toEqual(deployment.checkRuns);
});

test('a turn that GitHub gives for later is not waited for', async () => {
  await end();

  expect(patienceMs).toBe(1_000);
});

test('what GitHub will never take is stored with the check runs that there are', async () => {
  failures = { GitHub: new ForgeRefusedError('a field is too long', { status: 422 }) };

  expect(await end()).toMatchObject({ shown: { kind: 'refused' }, isStored: true });
  expect(records[0]?.deployment.checkRuns).toEqual(deployment.checkRuns);
});

test.each(['audit trail', 'record'])('a %s that is away is left to the workflow', async (what) => {
  failures = { [what]: new Error('it is away') };

  expect(await end()).toMatchObject({ shown: { kind: 'shown' }, isStored: false });
});

test('storage that does not answer is left to the workflow, and GitHub is not told again', async () => {
  slow = 'record';

  expect(await end(ENDING, 1, 800)).toMatchObject({ shown: { kind: 'shown' }, isStored: false });
});

test('where GitHub is being told something else, the lane alone is told', async () => {
  const { show: _later, ...ending } = ENDING;

  expect(await end(ending)).toEqual({ isStored: false });
  expect(done).toEqual(['lane']);
});

describe('an end that was returned to its lane', () => {
  const record = aRecord({ ended: [deployment] });
  const settle = (ending = ENDING, withinMs = 60_000) =>
    endInLane(
      aContext(),
      ending,
      { record, ifVersion: 'v1', returned: { withinMs } },
      {
        ...{ number: 1, startToCloseMs: 60_000, signal: new AbortController().signal },
      },
    );

  test('is shown before it is stored, and its lane, which has nothing left to tell, is stored last', async () => {
    expect(await settle()).toMatchObject({
      kind: 'stored',
      version: 'v2',
      shown: { kind: 'shown', checkRuns: WRITTEN },
    });
    expect(done).toEqual(['GitHub', 'audit trail', 'record', 'record of the lane']);
    expect(lanes).toMatchObject([{ rootName: record.rootName }]);
    expect(lanes[0]).not.toHaveProperty('ended');
  });

  const LIMITED = { status: 429, retryAfterMs: 60_000 };

  test.each([
    ['does not take it', new ForgeUnavailableError('the forge is away', { status: 502 }), 'failed'],
    ['limits writes', new ForgeUnavailableError('the forge is busy', LIMITED), 'limited'],
  ])('is stored at once while GitHub %s, and its lane keeps it to show it', async (_what, failure, kind) => {
    failures = { GitHub: failure };

    expect(await settle()).toMatchObject({ kind: 'stored', version: 'v2', shown: { kind } });
    expect(done).toEqual(['audit trail', 'record', 'record of the lane']);
    expect(lanes[0]?.ended).toMatchObject([{ id: deployment.id }]);
  });

  test('is stored at once while another check run is written, and its lane keeps it to show it', async () => {
    const { show: _another, ...ending } = ENDING;

    expect(await settle(ending)).toEqual({ kind: 'stored', version: 'v2' });
    expect(lanes[0]?.ended).toMatchObject([{ id: deployment.id }]);
  });

  test.each(['audit trail', 'record'])('does not wait for a %s that is away', async (what) => {
    failures = { [what]: new Error('it is away') };

    expect(await settle()).toMatchObject({ kind: 'unsettled', shown: { kind: 'shown' } });
    expect(lanes).toEqual([]);
  });

  test('is tried again where its lane cannot be stored', async () => {
    failures = { 'record of the lane': new Error('storage is away') };

    await expect(settle()).rejects.toThrow('storage is away');
  });
});
