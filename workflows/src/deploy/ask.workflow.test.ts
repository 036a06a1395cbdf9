import { describe, expect, test } from '@jest/globals';
import type { LaneAnswer } from '@nereid/domain/lane';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aCancel, aNotice, aRevision, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';

const inLane = openLanes();

const cancel = (lane: LaneDriver, deploymentId: string): Promise<LaneAnswer> =>
  lane.ask(MESSAGE.cancel, aCancel({ requestId: `cancel ${deploymentId}`, deploymentId }));

describe('a person who cancels', () => {
  test(
    'ends what waits, which is told and recorded, and nothing else',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      const { waiting } = await lane.until('one waits', (view) => view.waiting.length === 1);
      const answer = await cancel(lane, waiting[0]?.id ?? '');
      const ended = await lane.ended(shaAt(2));
      await lane.record('running-while-a-waiting-one-was-cancelled');
      lane.world.release();

      expect(answer).toEqual({ kind: 'cancelled' });
      expect(ended.progress).toMatchObject({ status: 'cancelled', reason: 'Cancelled by @carol' });
      expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
      await eventually('its check run to say so', async () =>
        lane.world.checkRuns.get(ended.id)?.deployment.progress.status === 'cancelled' ? true : undefined,
      );
    }),
  );

  test(
    'ends what runs through its terraform workflow, which says by whom',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      const { running } = await lane.view();

      expect(await cancel(lane, running?.id ?? '')).toEqual({ kind: 'cancelling' });
      expect((await lane.ended(shaAt(1))).progress).toMatchObject({
        status: 'cancelled',
        reason: 'Cancelled by @carol',
      });
      await lane.record('what-ran-was-cancelled');
    }),
  );

  test(
    'ends what is blocked before Terraform ever heard of it',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      lane.world.down.compare = true;
      await lane.merge(aRevision(2));
      const { running } = await lane.until('blocked', (view) => view.running?.progress.status === 'blocked');
      await cancel(lane, running?.id ?? '');

      expect((await lane.ended(shaAt(2))).progress).toMatchObject({
        status: 'cancelled',
        reason: 'Cancelled by @carol',
      });
      await lane.record('what-was-blocked-was-cancelled');
      expect(lane.world.happened).not.toContain(`planned ${shaAt(2)}`);
    }),
  );

  test(
    'is told when there is nothing to cancel any more',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      const { id } = await lane.ended(shaAt(1));
      await lane.until('the lane knows', ({ running }) => running === undefined);

      expect(await cancel(lane, id)).toEqual({ kind: 'refused', sentence: 'it has ended already: succeeded' });
    }),
  );
});

test(
  'a lane that asks in vain for long goes on asking in a new run, and loses nothing',
  inLane(async (lane) => {
    await lane.merge(aRevision(1));
    await lane.ended(shaAt(1));
    lane.world.down.compare = true;
    await lane.merge(aRevision(2));
    await lane.until('blocked', (view) => view.running?.progress.status === 'blocked');
    await lane.carriesOn();
    lane.world.down.compare = false;

    expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
    expect(lane.world.kept).toHaveLength(2);
  }),
);

test(
  'a notice is shown on the check run of its deployment; one for a deployment that nobody knows changes nothing',
  inLane(async (lane) => {
    await lane.merge(aRevision(1));
    const { id } = await lane.ended(shaAt(1));
    await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'another', sentence: 'Too late.' }));
    await lane.send(MESSAGE.notice, aNotice({ deploymentId: id, sentence: 'Too late.' }));

    await eventually('the sentence on its check run', async () =>
      lane.world.checkRuns.get(id)?.notice === 'Too late.' ? true : undefined,
    );
    expect([...lane.world.checkRuns.keys()]).toEqual([id]);
  }),
);

describe('a message that this release cannot read', () => {
  test(
    'changes nothing, and the lane lives',
    inLane(async (lane) => {
      await lane.merge({ ...aRevision(1), version: 2 } as never);
      await lane.send('from-a-newer-release', { version: 1 });
      await lane.merge(aRevision(2));
      await lane.ended(shaAt(2));

      expect(lane.world.kept).toHaveLength(1);
    }),
  );

  test(
    'has no answer',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      const { id } = await lane.ended(shaAt(1));
      const { body, signature } = aCancel({ requestId: 'from-a-newer-release', deploymentId: id });
      await lane.send(MESSAGE.cancel, { body: { ...body, version: 2 }, signature });

      expect(await lane.handle.query(MESSAGE.answer, 'from-a-newer-release')).toMatchObject({
        kind: 'pending',
        reason: expect.stringMatching(/^it has not taken the message; .* log of a worker$/),
      });
    }),
  );
});

describe('where a root deploys the newest of what waits', () => {
  const newest = (position: number) => aRevision(position, { root: { ...aRevision(position).root, queue: 'newest' } });
  const waitBehind = async (lane: LaneDriver, positions: readonly number[]) => {
    lane.world.hold();
    await lane.merge(newest(1));
    await lane.plans(shaAt(1));
    for (const position of positions) await lane.merge(newest(position));
    await lane.until('all wait', ({ waiting }) => waiting.length === positions.length);
  };

  test(
    'what it contains ends with its name, without a plan',
    inLane(async (lane) => {
      await waitBehind(lane, [2, 4, 3]);
      lane.world.release();
      const carrier = await lane.ended(shaAt(4));
      await lane.record('newest-carried-the-others');

      expect(lane.world.happened.filter((what) => what.startsWith('planned'))).toEqual([
        `planned ${shaAt(1)}`,
        `planned ${shaAt(4)}`,
      ]);
      for (const position of [2, 3]) {
        expect(await lane.ended(shaAt(position))).toMatchObject({
          carrier: { deploymentId: carrier.id, revision: shaAt(4) },
          progress: { status: 'skipped' },
        });
      }
    }),
  );

  test(
    'nothing is collapsed before somebody can tell what it contains',
    inLane(async (lane) => {
      await waitBehind(lane, [2, 3]);
      lane.world.down.git = true;
      lane.world.release();
      const blocked = await lane.until('blocked', ({ running }) => running?.progress.status === 'blocked');
      await lane.record('newest-blocked');
      lane.world.down.git = false;

      expect(blocked.running?.progress.reason).toContain(`Cannot see what ${shaAt(3).slice(0, 7)} contains`);
      expect(blocked.waiting).toHaveLength(1);
      expect((await lane.ended(shaAt(2))).progress.status).toBe('skipped');
    }),
  );
});
