import { beforeEach, describe, expect, test } from '@jest/globals';
import { aMergeReview } from '@nereid/domain/testing';
import { StorageUnavailableError } from '../errors.ts';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';
import { createAuditTrail } from '../trail/audit-trail.ts';
import { createBegunApplies } from '../records/begun-applies.ts';
import { createDeploymentRecords } from '../records/deployment-records.ts';
import { createLaneRecords } from '../records/lane-records.ts';
import { createLaneTurns } from '../records/lane-turns.ts';
import { createOwedAudits } from '../trail/owed-audits.ts';
import { createRolloutRecords } from '../rollouts/rollout-records.ts';
import { aDeployment, aDeploymentRecord, aFolder, aLaneRecord, aRepository, collect } from '../testing.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';
import { endDeployments, idOf, soon, sweepAll, writeLog } from './testing.ts';

const OLD = '2024-01-31T00:00:00.000Z';

const AN_EVENT = {
  ...({ version: 1, id: 'e', state: 'FORGED', forged: 'order/deploy' } as const),
  ...{ sentence: 'not signed', about: 'one', at: OLD },
};

let store: ObjectStore;
let sweeper: Sweeper;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  sweeper = createSweeper({ records: store, logs: store });
});

const keys = (prefix = '') => collect(store.list(prefix));

const ended = async () => (await keys('deployments/')).map((key) => Number(/(\d+)\.json$/.exec(key)?.[1]));

describe('logs', () => {
  test('go whole, once their last part is old', async () => {
    await writeLog(store, 1);

    expect(await sweepAll(sweeper.logs, { beforeMs: Date.now() - 60_000 })).toEqual([{ removed: 0, failed: 0 }]);
    expect(await keys('logs/')).toHaveLength(2);
    expect(await sweepAll(sweeper.logs)).toEqual([{ removed: 1, failed: 0 }]);
    expect(await keys('logs/')).toEqual([]);
  });

  test('of deployments that run or wait, were deployed last, or hold a lock, and of previews that are kept, stay', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) await writeLog(store, number);
    const lock = { kind: 'manual', deploymentId: idOf(4), revision: 'a'.repeat(40), by: 'bob', at: OLD } as const;
    const record = aLaneRecord({
      running: aDeployment({ id: idOf(1) }),
      merged: [aDeployment({ id: idOf(2) })],
      latest: { deploymentId: idOf(3), revision: 'a'.repeat(40), trigger: 'merge', status: 'succeeded', at: OLD },
      lock,
    });
    await createLaneRecords(store).write(record, null);
    await store.put(`previews/acme/.github/network/${idOf(5)}.json`, Buffer.from('{}'));

    await sweepAll(sweeper.logs);

    expect(new Set((await keys('logs/')).map((key) => key.split('/')[2]))).toEqual(
      new Set([1, 2, 3, 4, 5].map((number) => `${idOf(number)}-plan-1`)),
    );
  });

  test('of previews whose plans were confirmed for the merges of these deployments stay, when their own record is gone', async () => {
    for (const number of [1, 2, 3]) await writeLog(store, number);
    const confirmed = (previewId: string) => ({ review: aMergeReview({ previewId }) });
    const merged = [aDeployment({ id: idOf(11), reviewed: confirmed(idOf(1)) })];
    const deployed = aDeployment({ id: idOf(12), reviewed: confirmed(idOf(2)) });
    await createDeploymentRecords(store).write({ ...aDeploymentRecord(idOf(12), OLD), deployment: deployed });
    const { revision, trigger } = deployed;
    const latest = { deploymentId: idOf(12), revision: revision.sha, trigger, status: 'succeeded', at: OLD } as const;
    await createLaneRecords(store).write(aLaneRecord({ merged, latest }), null);

    await sweepAll(sweeper.logs);

    expect(new Set((await keys('logs/')).map((key) => key.split('/')[2]))).toEqual(
      new Set([1, 2].map((number) => `${idOf(number)}-plan-1`)),
    );
  });

  test('all stay while the record of a lane cannot be read, because nobody knows what it needs', async () => {
    await writeLog(store, 1);
    await store.put('lanes/acme/.github/network.json', Buffer.from('{'));

    await expect(sweepAll(sweeper.logs)).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
    expect(await keys('logs/')).toHaveLength(2);
  });
});

describe('records of deployments', () => {
  test('go, but the newest fifty of a lane', async () => {
    await endDeployments(store, 53, OLD);

    expect(await sweepAll(sweeper.deployments)).toEqual([{ removed: 3, failed: 0 }]);

    expect((await ended())[0]).toBe(4);
    expect(await ended()).toHaveLength(50);
  });

  test('stay from the oldest one on that their lane or its turn names: its contributors are found there', async () => {
    await endDeployments(store, 54, OLD);
    await createLaneTurns(store).change(aRepository, 'network', () =>
      Promise.resolve({ deployed: aDeployment({ id: idOf(3) }) }),
    );

    await sweepAll(sweeper.deployments);

    expect((await ended())[0]).toBe(3);
  });

  test('that ended lately stay, and so do those that were written lately with an old time', async () => {
    await endDeployments(store, 53, new Date().toISOString());

    await sweepAll(sweeper.deployments, { beforeMs: Date.now() - 60_000 });
    expect(await ended()).toHaveLength(53);

    await createDeploymentRecords(store).write(aDeploymentRecord(idOf(99), OLD));
    await sweepAll(sweeper.deployments, { beforeMs: Date.now() - 60_000 });
    expect(await ended()).toHaveLength(54);
  });

  test('leave a marker, so that nobody who kept their orders has them applied', async () => {
    await endDeployments(store, 51, OLD);

    await sweepAll(sweeper.deployments);

    expect(await createBegunApplies(store).of('default').begin(idOf(1), { hostId: 'h', jobId: 'j' })).toMatchObject({
      kind: 'found',
      marker: { overtakenBy: 'removed' },
    });
  });

  test('of an apply leave the marker of that apply as it is', async () => {
    await endDeployments(store, 51, OLD);
    const begun = createBegunApplies(store).of('default');
    await begun.begin(idOf(1), { hostId: 'h', jobId: 'j' });

    await sweepAll(sweeper.deployments);

    expect(await begun.read(idOf(1))).toMatchObject({ hostId: 'h', jobId: 'j' });
  });

  test('are removed beside a deployment that is stored meanwhile', async () => {
    await endDeployments(store, 60, OLD);

    const records = createDeploymentRecords(store);
    const storing = Array.from({ length: 10 }, (_, index) =>
      records.write(aDeploymentRecord(idOf(100 + index), new Date().toISOString())),
    );
    await Promise.all([sweepAll(sweeper.deployments), ...storing]);
    await sweepAll(sweeper.deployments);

    const left = await ended();
    expect(left).toHaveLength(50);
    expect(left.slice(-10)).toEqual(Array.from({ length: 10 }, (_, index) => 100 + index));
  });

  test('that cannot be read stay, and hold up no others', async () => {
    await endDeployments(store, 53, OLD);
    const [first = ''] = await keys('deployments/');
    await store.put(first, Buffer.from('{'));
    const failures: unknown[] = [];

    const swept = await sweepAll(sweeper.deployments, { onFailure: (error) => failures.push(error) });

    expect(swept).toEqual([{ removed: 2, failed: 1 }]);
    expect(failures).toMatchObject([{ code: 'BROKEN_RECORD' }]);
    expect(await ended()).toContain(1);
  });

  test('are removed by two workers at once as by one', async () => {
    await endDeployments(store, 80, OLD);

    await Promise.all([sweepAll(sweeper.deployments), sweepAll(sweeper.deployments)]);

    expect(await ended()).toHaveLength(50);
  });
});

describe('markers of applies', () => {
  const begun = (number: number) =>
    createBegunApplies(store).of('default').begin(idOf(number), { hostId: 'h', jobId: 'j' });

  test('go once their orders have ended, by the clock of the store', async () => {
    await begun(1);

    expect(await sweepAll(sweeper.begun, { beforeMs: Date.now() - 60_000 })).toEqual([{ removed: 0, failed: 0 }]);
    expect(await sweepAll(sweeper.begun)).toEqual([{ removed: 1, failed: 0 }]);
    expect(await keys('begun/')).toEqual([]);
  });

  test('and by the clock of their host', async () => {
    await begun(1);
    const marker = { version: 1, hostId: 'h', jobId: 'j', at: '2999-01-31T00:00:00.000Z' };
    await store.put(`begun/default/${idOf(1)}`, Buffer.from(JSON.stringify(marker)));

    expect(await sweepAll(sweeper.begun)).toEqual([{ removed: 0, failed: 0 }]);
  });

  test('of a deployment that the turn of a lane names stay: how it ended still counts', async () => {
    for (const number of [1, 2, 3, 4]) await begun(number);
    const named = (number: number) => aDeployment({ id: idOf(number) });
    const last = { deployment: named(1), pool: 'default', at: OLD, jobIds: ['j'] };
    await createLaneTurns(store).change(aRepository, 'network', () =>
      Promise.resolve({ last, applied: named(2), deployed: named(3) }),
    );

    expect(await sweepAll(sweeper.begun)).toEqual([{ removed: 1, failed: 0 }]);
    expect(await keys('begun/')).toEqual([1, 2, 3].map((number) => `begun/default/${idOf(number)}`));
  });

  test('all stay while a turn cannot be read', async () => {
    await begun(1);
    await store.put('turns/acme/.github/network.json', Buffer.from('{'));

    await expect(sweepAll(sweeper.begun)).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
    expect(await keys('begun/')).toHaveLength(1);
  });
});

test('days of lists go whole when they are over, packed or not, and what is owed to the trail stays', async () => {
  const trail = createAuditTrail(store);
  await store.put('audit-packed/2024-01-30.jsonl', Buffer.from(''));
  await store.put('ended/2024/01/31/20240131T000000000Z-one.json', Buffer.from('{}'));
  await store.put('audit-packed/2999-01-30.jsonl', Buffer.from(''));
  await createOwedAudits(store).keep({ version: 1, requestId: 'r', at: OLD, event: AN_EVENT });

  expect(await sweepAll(sweeper.days)).toEqual([{ removed: 2, failed: 0 }]);

  expect(await keys()).toEqual(['audit-packed/2999-01-30.jsonl', 'audit/owed/r.json']);
  expect(await trail.read('2024-01-30')).toEqual([]);
});

describe('days of lists that cannot be removed', () => {
  const keyOf = (name: string, index: number) =>
    `${name}/2024/01/31/20240131T000000000Z-${String(index).padStart(6, '0')}.json`;

  /** Objects of lists that are not on a disk. */
  function heldIn(...held: readonly string[]) {
    const tried: string[] = [];
    async function* listStamped(prefix: string, { after = '' } = {}): AsyncGenerator<StampedKey> {
      await Promise.resolve();
      for (const key of held) if (key.startsWith(prefix) && key > after) yield { key, stamp: '1', writtenMs: 0 };
    }
    const remove = (key: string) => {
      tried.push(key);
      return Promise.reject(new Error('held'));
    };
    return { records: { ...store, listStamped, delete: remove }, tried };
  }

  test('hold up no others: each call goes on where the one before stopped, in whichever list that was', async () => {
    const held = [
      ...Array.from({ length: 40_000 }, (_, index) => keyOf('audit', index)),
      'audit-packed/2024-01-30.jsonl',
      ...Array.from({ length: 20_000 }, (_, index) => keyOf('ended', index)),
      'ended-packed/2024-01-30.jsonl',
    ];
    const { records, tried } = heldIn(...held);

    const calls = await sweepAll(createSweeper({ records, logs: store }).days, { onFailure: () => undefined });

    expect(calls).toEqual([
      { removed: 0, failed: 50_000, next: keyOf('ended', 9_998) },
      { removed: 0, failed: 10_002 },
    ]);
    expect(tried).toEqual(held);
  });
});

test('rollouts go with their ends, unless a deployment waits in them or goes back to them', async () => {
  const rollouts = createRolloutRecords(store);
  const rollout = (id: string, of?: string) => ({
    ...{ version: 1 as const, repository: { owner: 'acme', name: '.github' }, id, revision: 'a'.repeat(40) },
    ...{ orderedAt: OLD, isRerun: of !== undefined },
    roots: [{ rootName: 'network', group: 0, dependsOn: [], ...(of !== undefined && { of, deploymentId: idOf(1) }) }],
  });
  await rollouts.write(rollout('sha/first'));
  await rollouts.write(rollout('sha/rerun', 'sha/first'));
  await rollouts.write(rollout('sha/over'));
  await rollouts.end(aRepository, 'sha/over', 'network', { kind: 'ended', status: 'succeeded' });
  const merged = [aDeployment({ id: idOf(1), rollout: 'sha/rerun' })];
  await createLaneRecords(store).write(aLaneRecord({ merged }), null);

  expect(await sweepAll(sweeper.rollouts)).toEqual([{ removed: 1, failed: 0 }]);

  expect(await keys('rollouts/')).toEqual([
    'rollouts/acme/.github/sha/first.json',
    'rollouts/acme/.github/sha/rerun.json',
  ]);
  expect(await keys('rollout-ends/')).toEqual([]);
});

test('lanes, turns, marks of deliveries and of branches are never removed', async () => {
  const kept = [
    ...['drains/h.json', 'hosts/h.json', 'namespaces/one', 'places/acme/infra/x.json'],
    ...['repositories/acme/infra.json', 'seen-states/acme/infra/network.json', 'taken/2024-01-31/x'],
    ...['turns/acme/infra/network.json', 'plans/default/one', 'pulls/acme/infra/1.json', 'logouts/x'],
  ];
  for (const key of kept) await store.put(key, Buffer.from('{}'));
  await createLaneRecords(store).write(aLaneRecord(), null);

  const { logs, deployments, days, rollouts, begun } = sweeper;
  for (const sweep of [logs, deployments, days, rollouts, begun]) await sweepAll(sweep);

  expect(await keys()).toEqual([...kept, 'lanes/acme/.github/network.json'].toSorted());
});

describe('a hundred thousand logs', () => {
  test('are removed in calls of two thousand, a few at once', async () => {
    const { logs, most } = manyLogs(100_000);

    const calls = await sweepAll(createSweeper({ records: store, logs }).logs);

    expect(calls).toHaveLength(50);
    expect(Math.max(...calls.map(({ removed }) => removed))).toBe(2_000);
    expect(most()).toBeLessThanOrEqual(16);
  });

  test('of which some cannot be removed are, but for those, which the next sweep tries again', async () => {
    const { logs, left } = manyLogs(5_000, (call) => (call === 7 ? new Error('held') : undefined));

    const calls = await sweepAll(createSweeper({ records: store, logs }).logs, { onFailure: () => undefined });
    expect(calls.map(({ failed }) => failed)).toEqual([1, 0, 0]);
    expect(left()).toBe(1);

    await sweepAll(createSweeper({ records: store, logs }).logs);
    expect(left()).toBe(0);
  });

  test('are left where they are when the store goes away halfway, and the rest goes another time', async () => {
    const away = new StorageUnavailableError('logs/', 'delete', { cause: new Error('away') });
    const { logs, left } = manyLogs(100, (call) => (call > 50 && call <= 60 ? away : undefined));

    const options = { beforeMs: soon(), onFailure: () => undefined };
    await expect(createSweeper({ records: store, logs }).logs(options)).rejects.toBe(away);
    expect(left()).toBe(50);

    await sweepAll(createSweeper({ records: store, logs }).logs);
    expect(left()).toBe(0);
  });
});

/** Logs of one object each, which are not on a disk. */
function manyLogs(count: number, failureOf: (call: number) => Error | undefined = () => undefined) {
  const present = new Set(Array.from({ length: count }, (_, index) => `logs/default/${idOf(index)}-plan-1/0`));
  let [calls, now, most] = [0, 0, 0];
  async function* listStamped(_prefix: string, { after = '' } = {}): AsyncGenerator<StampedKey> {
    await Promise.resolve();
    for (const key of present) if (key > after) yield { key, stamp: '1', writtenMs: 0 };
  }
  const remove = async (key: string) => {
    calls += 1;
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    const failure = failureOf(calls);
    if (failure) throw failure;
    present.delete(key);
  };
  return { logs: { ...store, listStamped, delete: remove }, most: () => most, left: () => present.size };
}
