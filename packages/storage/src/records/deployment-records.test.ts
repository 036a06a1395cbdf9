import { beforeEach, describe, expect, test } from '@jest/globals';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { aDeployment, aDeploymentRecord, aFolder, aLaneRecord, aRepository, collect } from '../testing.ts';
import { createDeploymentRecords, type DeploymentRecords, type EndBound } from './deployment-records.ts';
import { createEndedDeployments } from './ended-deployments.ts';
import { createLaneRecords } from './lane-records.ts';

const DAY_MS = 24 * 3_600_000;

let store: ObjectStore;
let records: DeploymentRecords;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  records = createDeploymentRecords(store);
});

test('a record lies under its lane, by the time of its end, and a summary under its day', async () => {
  await records.write(aDeploymentRecord('one', '2026-11-20T10:00:00.123Z'));

  expect(await collect(store.list(''))).toEqual([
    'deployments/acme/.github/network/20261120T100000123Z-one.json',
    'ended/2026/11/20/20261120T100000123Z-one.json',
  ]);
});

test('a deployment has one summary, that of the record which is stored', async () => {
  const record = aDeploymentRecord('one', '2026-11-20T10:00:00.000Z');
  await records.write(record);
  const better = {
    ...record,
    endedAt: '2026-11-21T10:00:00.000Z',
    deployment: aDeployment({ id: 'one', requestedBy: 'grace' }),
  };

  await records.write(better, () => false);
  await records.write(better, () => true);
  await records.write(better, () => false);

  const ended = createEndedDeployments(store);
  expect(await ended.read('2026-11-20')).toEqual([]);
  expect(await ended.read('2026-11-21')).toMatchObject([{ id: 'one', entry: { requestedBy: 'grace' } }]);
});

test('a summary names the deployment that carried a skipped one', async () => {
  const carrier = { deploymentId: 'two', revision: 'b'.repeat(40) };
  const deployment = aDeployment({ id: 'one', carrier, progress: { status: 'skipped', times: {}, jobs: {} } });
  await records.write({ ...aDeploymentRecord('one', '2026-11-20T10:00:00.000Z'), deployment });

  expect(await createEndedDeployments(store).read('2026-11-20')).toMatchObject([{ entry: { carrier } }]);
});

test('a record that is stored stays as it is, and storing it again is no failure', async () => {
  const record = aDeploymentRecord('one', '2026-11-20T10:00:00.000Z');
  await records.write(record);

  await records.write({ ...record, deployment: aDeployment({ id: 'one', requestedBy: 'mallory' }) });

  expect(await records.find(aRepository, 'network', 'one')).toEqual(record);
});

test('a deployment has one record: another time makes no second one', async () => {
  const record = aDeploymentRecord('one', '2026-11-20T10:00:00.000Z');
  await records.write(record);

  expect(await records.write({ ...record, endedAt: daysAgo(1) })).toEqual(record);

  expect(await records.latest(aRepository, 'network', 10)).toEqual([record]);
});

test.each(['2026-11-20T10:00:00.000Z', '2026-11-19T10:00:00.000Z'])(
  'a record that gives way is replaced by the newer one of %s',
  async (endedAt) => {
    const record = aDeploymentRecord('one', '2026-11-20T10:00:00.000Z');
    await records.write(record);
    const better = { ...record, endedAt, deployment: aDeployment({ id: 'one', requestedBy: 'grace' }) };

    expect(await records.write(better, ({ endedAt: at }) => at === record.endedAt)).toEqual(better);

    expect(await records.latest(aRepository, 'network', 10)).toEqual([better]);
  },
);

test('a deployment is found by its whole id only, however long ago it was', async () => {
  await records.write(aDeploymentRecord('aa-bb', daysAgo(1)));
  await records.write(aDeploymentRecord('old', daysAgo(1_000)));

  expect((await records.find(aRepository, 'network', 'aa-bb'))?.deployment.id).toBe('aa-bb');
  expect((await records.find(aRepository, 'network', 'old'))?.deployment.id).toBe('old');
  expect(await records.find(aRepository, 'network', 'bb')).toBeUndefined();
  expect(await records.find(aRepository, 'other', 'old')).toBeUndefined();
});

test('the latest come first, across all times, and the record of the lane is none of them', async () => {
  await createLaneRecords(store).write(aLaneRecord(), null);
  for (const [id, days] of [
    ['a', 900],
    ['b', 30],
    ['c', 3],
    ['d', 1],
  ] as const)
    await records.write(aDeploymentRecord(id, daysAgo(days)));

  const ids = async (limit: number) =>
    (await records.latest(aRepository, 'network', limit)).map(({ deployment }) => deployment.id);

  expect(await ids(0)).toEqual([]);
  expect(await ids(1)).toEqual(['d']);
  expect(await ids(3)).toEqual(['d', 'c', 'b']);
  expect(await ids(10)).toEqual(['d', 'c', 'b', 'a']);
});

describe('the ends of a lane', () => {
  const ENDS = [
    ['a', daysAgo(900)],
    ['b', daysAgo(800)],
    ['c', daysAgo(100)],
    ['d', daysAgo(3)],
    ['e', daysAgo(1)],
  ] as const;
  const ends = async (bound: EndBound | undefined, limit = 10) =>
    (await records.endsBefore(aRepository, 'network', bound, limit)).map(({ id }) => id).join('');

  beforeEach(async () => {
    for (const [id, endedAt] of ENDS) await records.write(aDeploymentRecord(id, endedAt));
  });

  test('are listed from any time backwards, and those of that very moment are among them', async () => {
    expect(await ends(undefined)).toBe('edcba');
    expect(await ends({ by: daysAgo(2) })).toBe('dcba');
    expect(await ends({ by: ENDS[1][1] })).toBe('ba');
    expect(await ends({ by: daysAgo(850) })).toBe('a');
    expect(await ends({ by: daysAgo(1_000) })).toBe('');
    expect(await ends({ by: daysAgo(2) }, 0)).toBe('');
  });

  test('go on behind a place, whatever ended since and even if its record is gone', async () => {
    const [first = '', second = ''] = ENDS.map(([, endedAt]) => endedAt).toReversed();
    await records.write(aDeploymentRecord('newer', new Date().toISOString()));

    expect(await ends({ before: { endedAt: second, id: 'd' } })).toBe('cba');
    expect(await ends({ before: { endedAt: first, id: 'd' } })).toBe('dcba');
  });

  test('at the same moment come one after another, none twice and none never', async () => {
    const at = daysAgo(200);
    for (const id of ['x', 'x-1', 'y']) await records.write(aDeploymentRecord(id, at));

    const all: string[] = [];
    for (let bound: EndBound = { by: at }; ;) {
      const [next] = await records.endsBefore(aRepository, 'network', bound, 1);
      if (next?.endedAt !== at) break;
      all.push(next.id);
      bound = { before: next };
    }

    expect(all.toSorted()).toEqual(['x', 'x-1', 'y']);
  });

  test('have their records at their places', async () => {
    const [place] = await records.endsBefore(aRepository, 'network', { by: daysAgo(2) }, 1);

    expect(place && (await records.readAt(aRepository, 'network', place))?.deployment.id).toBe('d');
    expect(await records.readAt(aRepository, 'network', { endedAt: daysAgo(5), id: 'd' })).toBeUndefined();
  });

  test('cost as many listed keys as lie around the time, and one more where a window ends', async () => {
    let listed = 0;
    const counting: ObjectStore = {
      ...store,
      async *list(prefix, options) {
        for await (const key of store.list(prefix, options)) {
          listed += 1;
          yield key;
        }
      },
    };
    const counted = createDeploymentRecords(counting);

    await counted.endsBefore(aRepository, 'network', { by: daysAgo(2) }, 1);
    // It looks one further, to see that this is too late.
    expect(listed).toBe(2);
    listed = 0;
    await counted.endsBefore(aRepository, 'network', undefined, 10);
    // Where a window ends, the first one behind it is seen again.
    expect(listed).toBe(ENDS.length + 2);
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}
