import { expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError, type StampedLane } from '@nereid/storage';
import { pino } from 'pino';
import type { Asked } from '../platform/temporal/asked.ts';
import { createFleet } from './fleet.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network', stamp: '1' };

test('only what has changed is read again', async () => {
  const fleet = aFleet([LANE, { ...LANE, rootName: 'database' }]);
  await fleet.read();
  fleet.lanes = [LANE, { ...LANE, rootName: 'database', stamp: '2' }];
  fleet.wait(10_000);

  await fleet.read();

  expect(fleet.reads).toEqual(['network', 'database', 'database']);
});

test('however many ask at once, and within three seconds, storage is asked once', async () => {
  const fleet = aFleet([LANE]);

  await Promise.all([fleet.read(), fleet.read()]);
  fleet.wait(2_900);
  await fleet.read();

  expect(fleet.lists()).toBe(1);
});

test('a lane that is gone is shown no more', async () => {
  const fleet = aFleet([LANE]);
  await fleet.read();
  fleet.lanes = [];
  fleet.wait(10_000);

  expect((await fleet.read()).lanes).toEqual([]);
});

test('what runs is as far as Temporal says', async () => {
  const running = deploymentAt(1, { id: 'd1' });
  const fleet = aFleet([LANE], { record: { running }, statuses: new Map([['d1', 'awaiting-review']]) });

  expect((await fleet.read()).lanes).toMatchObject([
    { running: { id: 'd1', status: 'awaiting-review', reviewWait: { since: '2026-11-22T10:00:00.000Z' } } },
  ]);
});

test.each([
  ['its workflow', 'acme/infra||network'],
  ['the workflow of what it runs', 'd1'],
])('a lane is stuck with %s', async (_which, id) => {
  const record = { running: deploymentAt(1, { id: 'd1' }) };
  const [stuck, other] = [aFleet([LANE], { record, stuck: [id] }), aFleet([LANE], { record, stuck: ['d2'] })];

  expect((await stuck.read()).lanes).toMatchObject([{ isStuck: true }]);
  expect((await other.read()).lanes[0]).not.toHaveProperty('isStuck');
});

test('while Temporal is away, no workflow is asked why it waits', async () => {
  const fleet = aFleet([LANE], { record: { running: deploymentAt(1) }, isTemporalAway: true });

  expect((await fleet.read()).lanes[0]?.running).not.toHaveProperty('reviewWait');
});

test('what has just left its lane is known for a while: it may not be among what ended yet', async () => {
  const running = deploymentAt(1, { id: 'd1' });
  const fleet = aFleet([LANE], { record: { running } });
  await fleet.read();
  fleet.lanes = [{ ...LANE, stamp: '2' }];
  fleet.record = {};
  fleet.wait(10_000);

  expect((await fleet.read()).departed).toMatchObject([{ lane: { rootName: 'network' }, deployment: { id: 'd1' } }]);
  fleet.wait(30_000);
  expect((await fleet.read()).departed).toEqual([]);
});

test('while storage is away, pages show what was known before, and say so', async () => {
  const fleet = aFleet([LANE]);
  await fleet.read();
  fleet.lanes = 'away';
  fleet.wait(10_000);

  const { lanes, unavailable } = await fleet.read();

  expect(lanes).toHaveLength(1);
  expect(unavailable).toEqual(['storage']);
});

test('a storage that hangs holds up nobody who was here before', async () => {
  const fleet = aFleet([LANE]);
  await fleet.read();
  fleet.lanes = 'hanging';
  fleet.wait(10_000);

  expect(await fleet.read()).toMatchObject({ lanes: [{ rootName: 'network' }], unavailable: ['storage'] });
  fleet.wait(10_000);
  await fleet.read();
  // It is not asked again while it hangs.
  expect(fleet.lists()).toBe(2);
});

test('a storage that is slow from the start shows what was read until then, and the rest later', async () => {
  const fleet = aFleet([{ ...LANE, rootName: 'slow' }, LANE]);

  expect(await fleet.read()).toMatchObject({ lanes: [{ rootName: 'network' }], unavailable: ['storage'] });
  fleet.answer();
  fleet.wait(10_000);

  expect(await fleet.read()).toMatchObject({
    lanes: [{ rootName: 'network' }, { rootName: 'slow' }],
    unavailable: [],
  });
});

test('while Temporal is away, the lanes are there, and the page says so', async () => {
  const fleet = aFleet([LANE], { isTemporalAway: true });

  expect(await fleet.read()).toMatchObject({ lanes: [{ rootName: 'network' }], unavailable: ['temporal'] });
});

test('a record that cannot be read hides no other lane', async () => {
  const fleet = aFleet([{ ...LANE, rootName: 'broken' }, LANE]);

  expect((await fleet.read()).lanes).toMatchObject([
    { rootName: 'broken', isUnreadable: true },
    { rootName: 'network' },
  ]);
});

interface Given {
  readonly record?: Partial<LaneRecord>;
  readonly statuses?: ReadonlyMap<string, DeploymentStatus>;
  readonly isTemporalAway?: boolean;
  readonly stuck?: readonly string[];
}

function aFleet(
  lanes: readonly StampedLane[],
  { record, statuses = new Map(), isTemporalAway = false, stuck = [] }: Given = {},
) {
  const reads: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
  let [lists, nowMs] = [0, 0];
  const all = { lanes: lanes as readonly StampedLane[] | 'away' | 'hanging', record };
  const seen = { requestIds: [], merges: [] };
  const writer = { runId: 'run', sequence: 1 };
  const read = createFleet({
    laneRecords: {
      async *list() {
        lists += 1;
        if (all.lanes === 'away') throw new Error('storage is away');
        if (all.lanes === 'hanging') await new Promise(() => undefined);
        else yield* all.lanes;
      },
      read: async (_repository, rootName) => {
        reads.push(rootName);
        if (rootName === 'slow') await answered;
        if (rootName === 'broken') throw new BrokenRecordError('lanes/broken', 'no JSON');
        const empty: LaneRecord = {
          version: 1,
          repository: REPOSITORY,
          rootName,
          manual: [],
          merged: [],
          seen,
          writer,
        };
        return { record: { ...empty, ...all.record }, version: '1' };
      },
    },
    askStatuses: (): Promise<Asked<ReadonlyMap<string, DeploymentStatus>>> =>
      Promise.resolve(isTemporalAway ? { kind: 'unavailable' } : { kind: 'found', value: statuses }),
    askStuck: () => Promise.resolve(new Set(stuck)),
    readWaits: (deployments) =>
      Promise.resolve(
        new Map(deployments.map(({ id }) => [id, { reviewWait: { since: '2026-11-22T10:00:00.000Z' } }])),
      ),
    logger: pino({ level: 'silent' }),
    now: () => nowMs,
    patienceMs: 10,
    firstPatienceMs: 10,
  });
  return Object.assign(all, {
    read,
    reads,
    answer: () => {
      answer(undefined);
    },
    lists: () => lists,
    wait: (ms: number) => (nowMs += ms),
  });
}
