import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus, Presentation } from '@nereid/domain/deployment';
import { STATE } from '../search-attributes.ts';
import { aRecord, aRevision, NOW, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';

const BROKEN = 'the record lanes/acme/infra/network.json is broken: its 100 bytes are not JSON';
const NEWER = 'the record lanes/acme/infra/network.json has version 2, this release reads up to 1';
const LATEST = { deploymentId: '1', revision: shaAt(1), trigger: 'merge', status: 'succeeded', at: NOW } as const;

const inLane = openLanes();

/** What the Temporal UI says of the lane on its page. */
const details = (lane: LaneDriver, part: string) =>
  eventually(`details with ${part}`, async () => {
    const text = await lane.handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return text.currentDetails?.includes(part) === true ? text.currentDetails : undefined;
  });

/** What lists of the Temporal UI say of it. */
const listedAs = (lane: LaneDriver, state: string) =>
  eventually(`the state ${state}`, async () => {
    const { typedSearchAttributes } = await lane.handle.describe();
    return typedSearchAttributes.get(STATE) === state ? state : undefined;
  });

const statusOf = ({ deployment }: Presentation) => deployment.progress.status;

const shown = (lane: LaneDriver, position: number, status: DeploymentStatus) =>
  eventually(`the check run of ${position} as ${status}`, async () =>
    [...lane.world.checkRuns.values()].find(
      (one) => one.deployment.revision.sha === shaAt(position) && statusOf(one) === status,
    ),
  );

const blockedBy = (lane: LaneDriver, why: string) =>
  lane.until(why, ({ waitsFor }) => waitsFor === `its record cannot be read: ${why}`);

describe('a lane whose record cannot be read', () => {
  test(
    'says which one and why wherever it is looked at, and deploys nothing',
    inLane(async (lane) => {
      lane.world.unreadable = BROKEN;
      await lane.merge(aRevision(2));

      expect(await blockedBy(lane, BROKEN)).toMatchObject({ isRestored: false, waiting: [] });
      const text = await details(lane, BROKEN);
      expect(text).toContain('1 message is kept');
      expect(text).not.toContain('Never deployed');
      expect(await listedAs(lane, 'blocked')).toBe('blocked');
      expect(lane.world.happened).toEqual([]);
    }),
  );

  test(
    'says so anew when the reason changes, and adds nothing to its history while it stays the same',
    inLane(async (lane) => {
      lane.world.unreadable = BROKEN;
      await lane.merge(aRevision(2));
      await blockedBy(lane, BROKEN);
      await eventually('another attempt', async () => ((await lane.pendingAttempt()) > 1 ? true : undefined));
      const before = (await lane.handle.describe()).historyLength;
      lane.world.unreadable = NEWER;
      await blockedBy(lane, NEWER);

      // A completed activity, the pause, the next activity, and the tasks in between.
      expect((await lane.handle.describe()).historyLength - before).toBeLessThan(20);
    }),
  );

  test(
    'says so on the check run of what waits, which then goes on',
    inLane(async (lane) => {
      lane.world.unreadable = BROKEN;
      await lane.merge(aRevision(2));
      const waiting = await shown(lane, 2, 'blocked');
      await lane.record('blocked-by-its-record');
      lane.world.unreadable = undefined;
      const ended = await lane.ended(shaAt(2));
      await shown(lane, 2, 'succeeded');

      expect(waiting.deployment.progress.reason).toBe(`The record of this root cannot be read: ${BROKEN}`);
      expect(ended).toMatchObject({ id: waiting.deployment.id, progress: { status: 'succeeded' } });
      expect(lane.world.checkRuns.size).toBe(1);
    }),
  );

  test(
    'ends the check run of what it had seen before',
    inLane(async (lane) => {
      lane.world.unreadable = BROKEN;
      await lane.merge(aRevision(2));
      await shown(lane, 2, 'blocked');
      const seen = { requestIds: [], merges: [shaAt(2)] };
      lane.world.stored = { record: aRecord({ seen }), version: '5' };
      lane.world.unreadable = undefined;

      expect(statusOf(await shown(lane, 2, 'skipped'))).toBe('skipped');
      expect(lane.world.happened).toEqual([]);
    }),
  );

  test(
    'goes on looking within one activity where each look finds another reason',
    inLane(async (lane) => {
      let looks = 0;
      lane.world.unreadable = () => `reason ${(looks += 1)}`;
      await lane.merge(aRevision(2));
      await eventually('another attempt', async () => ((await lane.pendingAttempt()) > 1 ? true : undefined));
      lane.world.unreadable = undefined;

      expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
    }),
  );

  test(
    'goes on by itself once the record is mended, with what it says and every message in order',
    inLane(async (lane) => {
      lane.world.unreadable = BROKEN;
      await lane.merge(aRevision(3));
      await lane.merge(aRevision(2));
      await lane.merge(aRevision(3));
      await blockedBy(lane, BROKEN);
      lane.world.stored = { record: aRecord({ latest: LATEST }), version: '5' };
      lane.world.unreadable = undefined;
      await lane.ended(shaAt(3));

      expect(lane.world.kept.map(({ revision }) => revision.sha)).toEqual([shaAt(2), shaAt(3)]);
      expect(await listedAs(lane, 'idle')).toBe('idle');
    }),
  );
});

test(
  'a record that cannot be read any more is not overwritten: the lane says so and deploys nothing until it is mended',
  inLane(async (lane) => {
    await lane.merge(aRevision(1));
    await lane.ended(shaAt(1));
    const mended = await eventually('the record without it', async () =>
      lane.world.record?.running === undefined ? lane.world.stored : undefined,
    );
    lane.world.unreadable = BROKEN;
    await lane.merge(aRevision(2));
    await blockedBy(lane, BROKEN);
    expect(await details(lane, BROKEN)).toContain('**Running**');
    expect(lane.world.stored).toEqual(mended);
    expect((await shown(lane, 2, 'blocked')).deployment.progress.reason).toContain(BROKEN);
    lane.world.unreadable = undefined;

    expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
    expect((await lane.view()).waitsFor).toBeUndefined();
  }),
);
