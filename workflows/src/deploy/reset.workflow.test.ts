import { describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aRevision, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';

const inLane = openLanes();

const plansIn = ({ world }: LaneDriver) => world.happened.filter((what) => what.startsWith('planned'));

/** By deployment: the end of one may be stored twice, and is the same. */
const endsIn = ({ world }: LaneDriver) => [
  ...new Map(world.kept.map(({ id, progress }) => [id, progress.status])).values(),
];

const isStored = (lane: LaneDriver, sha: string) =>
  eventually('the record with it', async () => (lane.world.record?.seen.merges.includes(sha) ? true : undefined));

describe('a lane that is reset to its first task', () => {
  test(
    'deploys nothing again that its record knows',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      await lane.ended(shaAt(2));
      await lane.reset();
      await lane.merge(aRevision(3));
      await lane.ended(shaAt(3));
      await lane.record('reset');

      expect(endsIn(lane)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(plansIn(lane)).toHaveLength(3);
    }),
  );

  test(
    'goes by its record, not by what an earlier run handed over to it',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.merge(aRevision(2));
      await lane.carriesOn();
      lane.world.release();
      await lane.ended(shaAt(2));
      await lane.reset();
      await lane.merge(aRevision(3));
      await lane.ended(shaAt(3));

      expect(endsIn(lane)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(plansIn(lane)).toHaveLength(3);
    }),
  );

  test(
    'follows what runs',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.reset();
      await lane.until('it is known', ({ running }) => running !== undefined);
      lane.world.release();
      await lane.ended(shaAt(1));

      expect(endsIn(lane)).toEqual(['succeeded']);
      expect(plansIn(lane)).toHaveLength(1);
    }),
  );

  test(
    'still has what came and was not stored',
    inLane(async (lane) => {
      await lane.send(MESSAGE.resume, { version: 1 });
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await isStored(lane, shaAt(1));
      lane.world.down.storage = true;
      await lane.merge(aRevision(2));
      await lane.until('it is known', ({ waiting }) => waiting.length === 1);
      await lane.reset();
      lane.world.down.storage = false;
      lane.world.release();
      await lane.ended(shaAt(2));

      expect(endsIn(lane)).toEqual(['succeeded', 'succeeded']);
    }),
  );

  test(
    'answers an unlock that it refused as it did, and lifts no lock that was set since',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      const refused = await lane.pressUnlock('alice-1', 'of another deployment');
      await lane.merge(aRevision(2, { trigger: 'manual', requestedBy: 'bob' }));
      await lane.ended(shaAt(2));
      await eventually('the lock in the record', async () => lane.world.record?.lock);
      await lane.reset();
      await lane.merge(aRevision(3));
      const { lock, lifted } = await lane.until('3 waits', ({ waiting }) => waiting.length === 1);

      expect(refused.kind).toBe('refused');
      expect(await lane.handle.query(MESSAGE.answer, 'alice-1')).toEqual(refused);
      expect({ by: lock?.by, lifted }).toEqual({ by: 'bob', lifted: [] });
    }),
  );
});
