/** A deployment that waits for other lanes, or at a closed gate: what its lane asks, when, and what that costs. */
import { describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aRevision, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';

const inLane = openLanes();

const ROLLOUT = 'a-rollout';

const WAITS = { kind: 'waiting', clause: 'waits for cluster, which is being planned' } as const;

/** A lane whose only deployment waits for another lane. */
async function waiting(lane: LaneDriver): Promise<void> {
  lane.world.dependencies.set(ROLLOUT, WAITS);
  await lane.merge(aRevision(1, { rollout: ROLLOUT }));
  await lane.until('waits', ({ waitsFor }) => waitsFor === WAITS.clause);
}

const looks = (lane: LaneDriver, count: number) =>
  eventually(`${count} looks without news`, async () => (lane.world.looks >= count ? true : undefined));

describe('a deployment that waits for another lane', () => {
  test(
    'says so on its check run, lets manual deployments pass, and starts once that is done, although nobody said so',
    inLane(async (lane) => {
      await waiting(lane);
      await eventually('its check run to say so', async () =>
        [...lane.world.checkRuns.values()].some(({ deployment }) => deployment.progress.reason === WAITS.clause)
          ? true
          : undefined,
      );
      await lane.record('waits-for-another-lane');
      // A plan of a manual deployment takes a review only if it changes something.
      lane.world.hasChanges = false;
      await lane.merge(aRevision(9, { trigger: 'manual' }));
      await lane.ended(shaAt(9));
      lane.world.hasChanges = true;
      expect(lane.world.happened).not.toContain(`planned ${shaAt(1)}`);
      await lane.unlock();

      lane.world.dependencies.set(ROLLOUT, { kind: 'ready' });
      expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
    }),
  );

  test(
    'costs no events while nothing changes',
    inLane(async (lane) => {
      await waiting(lane);
      const events = async () => (await lane.handle.fetchHistory()).events?.length;
      const costs: boolean[] = [];
      // What it does besides may end during the first looks.
      while (costs.at(-1) !== false && costs.length < 5) {
        const before = await events();
        await looks(lane, lane.world.looks + 3);
        costs.push((await events()) !== before);
      }

      expect(costs.at(-1)).toBe(false);
    }),
  );

  test(
    'starts at once when its lane is told to look again',
    inLane(
      async (lane) => {
        await waiting(lane);
        await looks(lane, 1);
        lane.world.dependencies.set(ROLLOUT, { kind: 'ready' });
        await lane.handle.signal(MESSAGE.lookAgain, { version: 1 });

        expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
        await lane.record('went-on-after-another-lane');
      },
      // Without the signal, the test would take an hour.
      { dependenciesMs: 3_600_000, dependenciesLimitMs: 3_600_000 },
    ),
  );

  test(
    'is refused when another lane failed, and the next merge goes on',
    inLane(async (lane) => {
      await waiting(lane);
      await lane.merge(aRevision(2));
      lane.world.dependencies.set(ROLLOUT, { kind: 'failed', sentence: 'cluster failed to apply.' });

      expect((await lane.ended(shaAt(1))).progress).toMatchObject({
        status: 'refused',
        reason: 'cluster failed to apply.',
      });
      expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
      await lane.record('was-refused-because-of-another-lane');
    }),
  );

  test(
    'waits on after its lane was reset',
    inLane(async (lane) => {
      await waiting(lane);
      await eventually('the record to have it', async () =>
        lane.world.record?.merged.some(({ progress }) => progress.reason === WAITS.clause) ? true : undefined,
      );
      await lane.reset();
      await lane.until('waits again', ({ waitsFor }) => waitsFor === WAITS.clause);
      expect(lane.world.happened).not.toContain(`planned ${shaAt(1)}`);
      lane.world.dependencies.set(ROLLOUT, { kind: 'ready' });

      expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
    }),
  );
});

const CLOSED = 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)';

/** A lane at a closed gate, once its check run says so. */
async function closed(lane: LaneDriver, until?: number): Promise<void> {
  lane.world.closed = { gate: 'window', who: ['operators'], sentence: CLOSED, ...(until !== undefined && { until }) };
  await lane.merge(aRevision(1));
  const shown = await eventually('a check run that says why', async () =>
    [...lane.world.checkRuns.values()].find(({ deployment }) => deployment.progress.status === 'blocked'),
  );
  expect(shown.deployment.progress.reason).toBe(CLOSED);
}

test(
  'a deployment that a closed gate holds back is planned once somebody says that the gate may be open',
  inLane(async (lane) => {
    await closed(lane);
    await lane.merge(aRevision(2));
    await lane.record('closed-before-its-plan');
    lane.world.closed = undefined;

    await lane.handle.signal(MESSAGE.lookAgain, { version: 1 });

    await lane.ended(shaAt(2));
    const applied = lane.world.happened.filter((what) => what.startsWith('applied'));
    expect(applied).toEqual([`applied ${shaAt(1)}`, `applied ${shaAt(2)}`]);
  }),
);

test(
  'a deployment that a closed gate holds back is planned by itself once the gate opens',
  inLane(async (lane) => {
    await closed(lane, Date.now());
    expect(lane.world.happened.filter((what) => what.startsWith('planned'))).toEqual([]);
    lane.world.closed = undefined;

    await lane.ended(shaAt(1));
  }),
);
