/** What people see of a rollout, how often it is written, and whose word counts. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { CheckRunRef, DeploymentStatus, EndedStatus } from '@nereid/domain/deployment';
import { WRITES_LIMIT } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import { REPOSITORY, shaAt } from '@nereid/domain/testing';
import { ForgeRefusedError, ForgeUnavailableError, type CheckRunContent, type PresentOptions } from '@nereid/forge';
import { createRolloutRecords, type RolloutRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { createCheckRunWrites } from '../platform/memory/check-run-writes.ts';
import { showRollout, type ShownRollout } from './show-rollout.ts';

const SHA = shaAt(1);
const ID = `${SHA}/delivery-1`;
const OWN: CheckRunRef = { id: 7, completed: false };
/** The required check of somebody's pull request. */
const FOREIGN: CheckRunRef = { id: 99, completed: true };

const store = storeOfEachTest();
let rolloutRecords: RolloutRecords;
let statuses: Map<string, DeploymentStatus>;
let queries: string[];
let written: {
  readonly refs: readonly CheckRunRef[];
  readonly content: CheckRunContent;
  readonly options: PresentOptions;
}[];
let refusal: Error | undefined;
let context: WorkerContext;
let shown: ShownRollout | undefined;

const server = readServerConfig(
  'terraform: { version: "1.11.4" }\nstorage: { deployments: "file:/s", plans: "file:/s", logs: "file:/s" }\nrepositories: [{ match: "acme/*" }]\n',
);
if (server.kind !== 'ok') throw new Error(JSON.stringify(server.problems));

beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true, now: Date.UTC(2026, 0, 31, 14) });
  rolloutRecords = createRolloutRecords(store);
  statuses = new Map();
  [queries, written] = [[], []];
  [refusal, shown] = [undefined, undefined];
  context = {
    rolloutRecords,
    server: { current: () => server.config },
    config: { links: { consoleUrl: 'https://console.example', keyedRepositories: 'all' } },
    logger: pino({ level: 'silent' }),
    checkRunWrites: createCheckRunWrites(),
    forge: {
      status: {
        find: () => Promise.resolve([OWN]),
        present: async (
          _repository: unknown,
          refs: readonly CheckRunRef[],
          content: CheckRunContent,
          options: PresentOptions,
        ) => {
          await Promise.resolve();
          if (refusal !== undefined) throw refusal;
          written.push({ refs, content, options });
          return [{ ...OWN, completed: content.status === 'completed' }];
        },
      },
    },
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: {
        list: async function* ({ query }: { readonly query: string }) {
          await Promise.resolve();
          queries.push(query);
          for (const [workflowId, status] of statuses)
            yield { workflowId, typedSearchAttributes: { get: () => status } };
        },
      },
    },
  } as unknown as WorkerContext; // What is used of it.
});

afterEach(() => {
  jest.useRealTimers();
});

async function merged(...rootNames: readonly string[]): Promise<void> {
  const roots = rootNames.map((rootName) => ({ rootName, group: 0, dependsOn: [], deploymentId: `of-${rootName}` }));
  const orderedAt = new Date().toISOString();
  await rolloutRecords.write({
    version: 1,
    repository: REPOSITORY,
    id: ID,
    revision: SHA,
    orderedAt,
    isRerun: false,
    roots,
  });
}

function ends(rootName: string, status: EndedStatus = 'succeeded'): Promise<void> {
  return rolloutRecords.end(REPOSITORY, ID, rootName, { kind: 'ended', status });
}

/** One attempt, as Temporal makes it. Returns the pause after which it makes the next one, or the end. */
async function attempt(repository: Repository = REPOSITORY, sha = SHA): Promise<number | string> {
  const options = { signal: new AbortController().signal, ...(shown && { shown }) };
  try {
    return await showRollout(context, repository, sha, { ...options, onShown: (newest) => (shown = newest) });
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return Number((error as { readonly nextRetryDelay?: unknown }).nextRetryDelay);
  }
}

/** Until it ends. `change` is called before each attempt. */
async function follow(change: (attempts: number) => Promise<void> | undefined): Promise<number> {
  for (let attempts = 0; attempts < 2_000; attempts += 1) {
    await change(attempts);
    const pause = await attempt();
    if (typeof pause === 'string') return attempts;
    jest.setSystemTime(Date.now() + pause);
  }
  throw new Error('expected an end');
}

const titles = () => written.map(({ content }) => content.title);

describe('the check run of a rollout', () => {
  test('is created at once, follows the roots, and says what became of all', async () => {
    await merged('network', 'dns');
    const steps: (() => Promise<void> | undefined)[] = [
      () => undefined,
      () => void statuses.set('of-network', 'awaiting-review'),
      () => ends('network'),
      () => ends('dns', 'no-changes'),
    ];

    await follow((attempts) => steps[attempts]?.());

    expect(titles()).toEqual([
      '2 roots: 2 waiting',
      '2 roots: 1 to review, 1 waiting',
      '2 roots: 1 waiting, 1 done',
      '2 roots: 2 done',
    ]);
    expect(written.at(-1)?.content).toMatchObject({ status: 'completed', conclusion: 'success', headSha: SHA });
    expect(new Set(written.map(({ content }) => content.externalId)).size).toBe(1);
  });

  test('is not written while nothing changes, and looks more and more rarely', async () => {
    await merged('network', 'dns');
    const pauses: number[] = [];
    for (let minutes = 0; minutes < 60; minutes += 1) {
      pauses.push(Number(await attempt()));
      jest.setSystemTime(Date.now() + 60_000);
    }

    expect(written).toHaveLength(1);
    expect([pauses[0], pauses.at(-1)]).toEqual([2_000, 300_000]);
  });

  test.each([
    ['200 roots, one of which ends before each look', 200, 1],
    ['40 roots that end slowly', 40, 10],
  ])(
    'of %s is written so often at most',
    async (_what, count, looksEach) => {
      const names = Array.from({ length: count }, (_, n) => `r${n}`);
      await merged(...names);

      await follow((attempts) => {
        const name = names[attempts / looksEach];
        return name === undefined ? undefined : ends(name);
      });

      expect(written.length).toBeLessThanOrEqual(WRITES_LIMIT);
      expect(titles().at(-1)).toBe(`${count} roots: ${count} done`);
    },
    120_000,
  );

  test('is left after a month', async () => {
    await merged('network', 'dns');
    await attempt();
    jest.setSystemTime(Date.now() + 31 * 86_400_000);

    expect(await attempt()).toBe('2 roots: 2 waiting');
    expect(written.at(-1)?.content.conclusion).toBe('neutral');
  });

  test('waits for its turn among the writes', async () => {
    await merged('network', 'dns');
    refusal = new ForgeUnavailableError('limited', { status: 403, retryAfterMs: 7_000 });

    expect(await attempt()).toBe(7_000);
  });

  test('is looked for where nobody remembers it, so that there is one, however often its workflow is started', async () => {
    await merged('network', 'dns');

    await attempt();
    statuses.set('of-network', 'planning');
    jest.setSystemTime(Date.now() + 2_000);
    await attempt();

    expect(written.map(({ options }) => options.creationUncertain)).toEqual([true, false]);
  });

  test('that the forge refuses stays as it is', async () => {
    await merged('network', 'dns');
    refusal = new ForgeRefusedError('no', { status: 422 });

    expect(await attempt()).toMatch(/^the forge refuses it/);
  });
});

describe('somebody who reaches Temporal', () => {
  test('has no root shown as deployed that is not', async () => {
    await merged('network', 'dns');
    statuses.set('of-network', 'succeeded').set('made-up', 'apply-failed');

    await attempt();

    expect(titles()).toEqual(['2 roots: 1 at work, 1 waiting']);
  });

  test('has no other check run written', async () => {
    await merged('network', 'dns');
    shown = { checkRuns: [FOREIGN, OWN], writes: 1, digest: '', wroteAt: 0, found: '', foundAt: 0 };

    await attempt();

    expect(written).toMatchObject([{ refs: [OWN] }]);
  });

  test.each([
    ['a revision without a rollout', REPOSITORY, shaAt(2)],
    ['a repository that is not allowed', { ...REPOSITORY, owner: 'somebody' }, SHA],
    ['a query', REPOSITORY, "' OR '1' = '1"],
    ['a repository that is no name', { ...REPOSITORY, name: "infra' OR '1' = '1" }, SHA],
    ['nothing', null as unknown as Repository, SHA],
  ])('gets nothing for %s', async (_what, repository, sha) => {
    await merged('network', 'dns');

    expect(await attempt(repository, sha)).toEqual(expect.any(String));

    expect([written, queries]).toEqual([[], []]);
  });
});
