import { describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aNotice, aRevision, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';
import { defined } from '@nereid/domain/defined';

const inLane = openLanes();

const manual = (position: number) => aRevision(position, { trigger: 'manual', requestedBy: 'bob' });

const applied = (lane: LaneDriver) => lane.world.happened.filter((what) => what.startsWith('applied'));

describe('a merged revision', () => {
  test(
    'is planned and applied, and its end is stored',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));

      const ended = await lane.ended(shaAt(1));
      expect(ended.progress.status).toBe('succeeded');
    }),
  );

  test(
    'waits while another one runs, and runs after it',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      const { running, waiting } = await lane.until('one runs, one waits', (view) => view.waiting.length === 1);
      await lane.record('running-while-another-waits');
      lane.world.release();
      await lane.ended(shaAt(2));

      expect([running, ...waiting].map((deployment) => deployment?.revision.sha)).toEqual([shaAt(1), shaAt(2)]);
      expect(applied(lane)).toEqual([`applied ${shaAt(1)}`, `applied ${shaAt(2)}`]);
    }),
  );

  test(
    'is deployed in the order of the branch when webhooks overtake each other',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.until('the first runs', (view) => view.running !== undefined);
      for (const position of [4, 2, 3]) await lane.merge(aRevision(position));
      lane.world.release();
      await lane.ended(shaAt(4));

      expect(applied(lane)).toEqual([1, 2, 3, 4].map((position) => `applied ${shaAt(position)}`));
    }),
  );

  test(
    'is deployed once, however often its webhook comes',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      await lane.ended(shaAt(2));

      expect(lane.world.kept).toHaveLength(2);
    }),
  );

  test(
    'without changes becomes the latest, and is not applied',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(aRevision(1));
      const ended = await lane.ended(shaAt(1));

      expect(ended.progress.status).toBe('no-changes');
      expect((await lane.view()).latest?.revision).toBe(shaAt(1));
    }),
  );

  test(
    'is in the stored record as the running one before its plan begins',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));

      expect(lane.world.happened.slice(0, 2)).toEqual([`stored ${shaAt(1)}`, `planned ${shaAt(1)}`]);
    }),
  );

  test(
    'goes before lanes that have not begun, once it has its turn',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));

      const { events } = await lane.handle.fetchHistory();
      const started = events?.flatMap((event) => event.startChildWorkflowExecutionInitiatedEventAttributes ?? []);
      expect(started).toMatchObject([{ priority: { priorityKey: 2 } }]);
      expect(events?.[0]?.workflowExecutionStartedEventAttributes?.priority?.priorityKey ?? 3).toBeGreaterThan(2);
    }),
  );

  test(
    'costs at most 55 events, 9 tasks and 5 activities, in its lane and in its own workflow',
    inLane(async (lane) => {
      await lane.merge(aRevision(1), { stored: null, at: Date.now() });
      const { id } = await lane.ended(shaAt(1));
      await eventually('its rest', async () => ((await lane.states()).at(-1) === 'idle' ? true : undefined));
      await lane.record('idle');

      const { events, tasks, activities } = await lane.costs(id);
      expect(events).toBeLessThanOrEqual(55);
      expect(tasks).toBeLessThanOrEqual(9);
      expect(activities.length).toBeLessThanOrEqual(5);
    }),
  );

  test(
    'costs at most 70 events, 11 tasks and 6 activities with a review',
    inLane(async (lane) => {
      const revision = aRevision(1);
      const root = { ...revision.root, planReview: 'required' } as const;
      await lane.merge({ ...revision, root }, { stored: null, at: Date.now() });
      const { running } = await lane.until('it asks', (view) => view.running?.progress.status === 'awaiting-review');
      await lane.confirm(running);
      const { id } = await lane.ended(shaAt(1));
      await eventually('its rest', async () => ((await lane.states()).at(-1) === 'idle' ? true : undefined));

      const { events, tasks, activities } = await lane.costs(id);
      expect(events).toBeLessThanOrEqual(70);
      expect(tasks).toBeLessThanOrEqual(11);
      expect(activities.length).toBeLessThanOrEqual(6);
    }),
  );
});

test(
  'a lane says how it stands when it waits, and not in between',
  inLane(async (lane) => {
    lane.world.hold();
    await lane.merge(aRevision(1));
    await lane.until('the first runs', (view) => view.running !== undefined);
    await lane.merge(aRevision(2));
    await lane.until('the second waits', (view) => view.waiting.length === 1);
    lane.world.release();
    await lane.ended(shaAt(2));

    await eventually('its rest', async () => ((await lane.states()).at(-1) === 'idle' ? true : undefined));
    expect(await lane.states()).toEqual(['idle']);
  }),
);

describe('a manual deployment', () => {
  test(
    'goes before merged ones, and locks the lane for them',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.until('the first runs', (view) => view.running !== undefined);
      await lane.merge(aRevision(2));
      await lane.merge(manual(9));
      lane.world.release();
      await lane.ended(shaAt(9));

      const view = await lane.until('nothing runs', ({ running }) => running === undefined);
      await lane.record('locked-with-a-merge-waiting');
      expect(view.lock).toMatchObject({ kind: 'manual', revision: shaAt(9), by: 'bob' });
      expect(view.waiting.map(({ revision }) => revision.sha)).toEqual([shaAt(2)]);
      expect(view.waitsFor).toBe('locked by a manual deployment of 0000000 by @bob');
    }),
  );

  test(
    'lets merged ones go on once somebody unlocks the idle lane',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(manual(9));
      await lane.ended(shaAt(9));
      await lane.merge(aRevision(2));
      await lane.until('one waits', (view) => view.waitsFor !== undefined);

      await lane.unlock();

      expect((await lane.ended(shaAt(2))).progress.status).toBe('no-changes');
    }),
  );

  test(
    'gives way to merged ones at the first press of Unlock; the second is refused with a sentence',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(manual(9));
      await lane.ended(shaAt(9));
      await lane.merge(aRevision(2));
      const { waiting } = await lane.until('one waits', (view) => view.waitsFor !== undefined);
      const { id } = waiting[0] ?? { id: 'nothing waits' };

      const first = await lane.pressUnlock('press-1', id);
      const second = await lane.pressUnlock('press-2', id);

      expect(first).toMatchObject({ kind: 'unlocked' });
      expect(second).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('not locked') });
      expect((await lane.ended(shaAt(2))).progress.status).toBe('no-changes');
      await lane.record('unlocked');
    }),
  );

  test(
    'does not lock again when somebody unlocked while it ran',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      lane.world.hold();
      await lane.merge(manual(9));
      await lane.until('it locks', (view) => view.lock !== undefined);
      await lane.unlock();
      await lane.merge(aRevision(2));
      lane.world.release();

      await lane.ended(shaAt(2));
      expect((await lane.view()).lock).toBeUndefined();
    }),
  );
});

describe('compared with the latest deployment', () => {
  test(
    'an identical one is skipped, and says why',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      lane.world.comparison = 'identical';
      await lane.merge(aRevision(2));

      const ended = await lane.ended(shaAt(2));
      expect(ended.progress).toMatchObject({ status: 'skipped', reason: expect.stringContaining('Already deployed') });
    }),
  );

  test(
    'what waits when the branch is rewritten stays, is compared, and is said: nothing of it goes by itself',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      for (const position of [2, 3]) await lane.merge(aRevision(position));
      await lane.until('both wait', ({ waiting }) => waiting.length === 2);
      lane.world.comparisons.set(shaAt(2), 'behind').set(shaAt(3), 'diverged');
      lane.world.release();
      const asked = await lane.until('3 asks', ({ running }) => running?.progress.status === 'awaiting-review');

      expect(asked.running).toMatchObject({
        revision: { sha: shaAt(3) },
        warning: expect.stringContaining('does not contain it'),
        progress: { plan: { reviewRequired: true } },
      });
      expect(await lane.ended(shaAt(2))).toMatchObject({
        progress: { status: 'skipped', reason: expect.stringContaining('Already contained in') },
      });
      expect(lane.world.happened).not.toContain(`applied ${shaAt(3)}`);
    }),
  );

  test(
    'what cannot be compared is visibly blocked, and goes on when GitHub answers',
    inLane(async (lane) => {
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      lane.world.down.compare = true;
      await lane.merge(aRevision(2));
      const blocked = await lane.until('blocked', (view) => view.running?.progress.status === 'blocked');
      await lane.record('blocked-on-compare');
      lane.world.down.compare = false;

      expect(blocked.running?.progress.reason).toBe('Cannot compare with 0000000: compare is down');
      expect((await lane.ended(shaAt(2))).progress.status).toBe('succeeded');
      await lane.record('blocked-on-compare-and-gone-on');
    }),
  );
});

describe('what check runs show', () => {
  test(
    'the lock of what waits for it, until somebody unlocks',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(manual(9));
      await lane.ended(shaAt(9));
      await lane.merge(aRevision(2));
      const locked = await shown(lane, ({ lock }) => lock !== undefined);

      await lane.unlock();

      expect(locked).toMatchObject({ lock: { kind: 'manual' }, deployment: { revision: { sha: shaAt(2) } } });
      const after = await shown(lane, (one) => one.deployment.id === locked.deployment.id && one.lock === undefined);
      expect(after.lock).toBeUndefined();
    }),
  );

  test(
    'a notice, which a state that comes before anybody could read it does not take away',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      const { running } = await lane.view();
      await lane.send(
        MESSAGE.notice,
        aNotice({ ...defined({ deploymentId: running?.id }), sentence: '@bob may not confirm.' }),
      );
      const noticed = await shown(lane, ({ notice }) => notice !== undefined);
      await lane.record('with-a-notice');
      lane.world.release();

      expect(noticed.notice).toBe('@bob may not confirm.');
      const ended = await shown(lane, ({ deployment }) => deployment.progress.status === 'succeeded');
      expect(ended.notice).toBe('@bob may not confirm.');
    }),
  );

  test(
    'nothing while GitHub is down, which holds up no deployment, and everything when it is back',
    inLane(async (lane) => {
      lane.world.down.checkRuns = true;
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));
      await lane.record('unable-to-reach-github');
      lane.world.down.checkRuns = false;

      const ended = await shown(lane, ({ deployment }) => deployment.progress.status === 'succeeded');
      expect(ended.deployment.revision.sha).toBe(shaAt(1));
    }),
  );
});

const shown = (lane: LaneDriver, isSo: (one: Shown) => boolean) =>
  eventually('a check run', async () => [...lane.world.checkRuns.values()].find(isSo));

type Shown = LaneDriver['world']['checkRuns'] extends Map<string, infer One> ? One : never;
