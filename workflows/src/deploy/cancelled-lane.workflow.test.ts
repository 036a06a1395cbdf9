import { describe, expect, test } from '@jest/globals';
import { aRevision, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { closed } from './testing/lane-driver.ts';

const inLane = openLanes();

describe('a cancelled lane', () => {
  test(
    'cancels what runs, ends what waits, and tells both check runs',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      await lane.plans(shaAt(1));
      await lane.until('one waits', (view) => view.waiting.length === 1);
      await lane.handle.cancel();
      await closed(lane, 'CANCELLED');
      await lane.record('cancelled');

      const statuses = [...lane.world.checkRuns.values()].map(({ deployment }) => deployment.progress.status);
      expect(statuses).toEqual(['cancelled', 'cancelled']);
      expect(lane.world.record).toMatchObject({ merged: [], manual: [] });
      expect(lane.world.record?.running).toBeUndefined();
    }),
  );

  test(
    'ends what waits for a lock, and keeps the lock',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(aRevision(9, { trigger: 'manual', requestedBy: 'bob' }));
      await lane.ended(shaAt(9));
      await lane.merge(aRevision(2));
      await lane.until('one waits', (view) => view.waitsFor !== undefined);
      await lane.handle.cancel();
      await closed(lane, 'CANCELLED');

      expect((await lane.ended(shaAt(2))).progress.status).toBe('cancelled');
      expect(lane.world.record?.lock?.kind).toBe('manual');
    }),
  );

  test(
    'ends what is blocked before it was started',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      lane.world.down.compare = true;
      await lane.merge(aRevision(2));
      await lane.until('blocked', (view) => view.running?.progress.status === 'blocked');
      await lane.handle.cancel();
      await closed(lane, 'CANCELLED');

      expect((await lane.ended(shaAt(2))).progress.reason).toBe('The lane was cancelled in Temporal.');
    }),
  );

  test(
    'cancels what another run of it started',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.handle.terminate();
      await lane.unlock();
      await lane.until('it is followed', (view) => view.running !== undefined);
      await lane.handle.cancel();
      await closed(lane, 'CANCELLED');

      expect((await lane.ended(shaAt(1))).progress.status).toBe('cancelled');
    }),
  );

  test(
    'keeps what came after the request, and carries on with it in a new run',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      const { running } = await lane.view();
      lane.world.down.storage = true;
      await lane.handle.cancel();
      await lane.closes(running?.id ?? '');
      lane.world.release();
      await lane.merge(aRevision(2));
      lane.world.down.storage = false;

      expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
      // Returned to the lane, which stores it as soon as it can.
      expect((await lane.ended(shaAt(1))).progress.status).toBe('cancelled');
      expect(lane.world.kept).toHaveLength(2);
      await lane.record('carried-on-after-a-cancellation');
    }),
  );
});
