import { describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aLock, aNotice, aRecord, aRevision, deploymentAt, NOW, progressAs, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { closed, eventually } from './testing/lane-driver.ts';

const inLane = openLanes();

const manual = (position: number) => aRevision(position, { trigger: 'manual', requestedBy: 'bob' });

describe('while storage cannot be read', () => {
  test(
    'a lane keeps its messages, pops nothing and says so; then it goes on',
    inLane(async (lane) => {
      lane.world.down.storage = true;
      await lane.merge(aRevision(1));
      const blocked = await lane.until('why', (view) => view.waitsFor?.includes('down') === true);
      await lane.record('storage-away-at-start');
      lane.world.down.storage = false;

      expect(blocked).toMatchObject({ isRestored: false, waitsFor: 'its record cannot be read: storage is down' });
      expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
    }),
  );

  test(
    'a lane that is cancelled ends what came, and leaves the record that it could not read alone',
    inLane(async (lane) => {
      const latest = { deploymentId: '1', revision: shaAt(1), trigger: 'merge', status: 'succeeded', at: NOW } as const;
      lane.world.stored = { record: aRecord({ latest }), version: '5' };
      lane.world.down.storage = true;
      await lane.merge(aRevision(2));
      await lane.until('not restored', (view) => view.waitsFor !== undefined);
      await lane.handle.cancel();
      lane.world.down.storage = false;
      await closed(lane, 'CANCELLED');

      expect(lane.world.record).toMatchObject({ latest, merged: [] });
      expect(lane.world.kept.map(({ progress }) => progress.status)).toEqual(['cancelled']);
    }),
  );
});

describe('a lane that was idle for long enough', () => {
  test(
    'ends, and starts again exactly as it stood',
    inLane(
      async (lane) => {
        lane.world.hasChanges = false;
        await lane.merge(manual(9));
        await lane.ended(shaAt(9));
        await closed(lane, 'COMPLETED');
        await lane.merge(aRevision(2));

        const view = await lane.until('one waits', ({ waiting }) => waiting.length === 1);
        await lane.record('started-again-as-it-stood');
        expect(view).toMatchObject({ lock: { kind: 'manual' }, latest: { revision: shaAt(9), status: 'no-changes' } });
      },
      { idleMs: 100 },
    ),
  );

  test(
    'still knows what it has seen',
    inLane(
      async (lane) => {
        await lane.merge(aRevision(1));
        await lane.ended(shaAt(1));
        await closed(lane, 'COMPLETED');
        await lane.merge(aRevision(1));
        await closed(lane, 'COMPLETED');
        await lane.record('ended');

        expect(lane.world.kept).toHaveLength(1);
      },
      { idleMs: 100 },
    ),
  );
});

describe('a lane whose deployment waits for a person', () => {
  test(
    'continues as new when its history is long, and knows it to its end',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.merge(aRevision(2));
      const first = (await lane.handle.describe()).runId;
      await eventually('another run', async () => {
        await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'none', sentence: 'only makes the history longer' }));
        return (await lane.handle.describe()).runId === first ? undefined : true;
      });
      await lane.record('followed-again-after-continue-as-new');
      lane.world.release();
      await lane.ended(shaAt(2));

      expect(lane.world.kept.map(({ progress }) => progress.status)).toEqual(['succeeded', 'succeeded']);
      expect(lane.world.happened.filter((what) => what.startsWith('planned'))).toHaveLength(2);
    }),
  );
});

test(
  'a check run that GitHub refuses for good does not keep a lane from ending',
  inLane(
    async (lane) => {
      const why = 'the App was uninstalled';
      lane.world.answer = ({ deployment: { id } }) => ({ deploymentId: id, kind: 'refused', why });
      await lane.merge(aRevision(1));
      await lane.ended(shaAt(1));

      expect(await closed(lane, 'COMPLETED')).toBe('COMPLETED');
    },
    { idleMs: 100 },
  ),
);

test(
  'what another writer stored is joined, not overwritten: its lock holds what was about to start',
  inLane(async (lane) => {
    await lane.merge(aRevision(1));
    await lane.ended(shaAt(1));
    const stored = await eventually('the record without it', async () =>
      lane.world.record?.running === undefined ? lane.world.record : undefined,
    );
    const writer = { runId: 'another run', sequence: 99 };
    lane.world.stored = { record: { ...stored, lock: aLock('failed'), writer }, version: '99' };
    await lane.merge(aRevision(2));
    const { lock } = await lane.until('the merge waits', ({ waiting, waitsFor }) => {
      return waiting.length === 1 && waitsFor?.startsWith('locked by') === true;
    });
    const joined = await eventually('its own record', async () =>
      lane.world.record?.merged.length === 1 ? lane.world.record : undefined,
    );
    await lane.unlock();
    await lane.ended(shaAt(2));

    await lane.record('joined-what-another-stored');

    expect(lock?.kind).toBe('failed');
    expect(joined).toMatchObject({ lock: { kind: 'failed' } });
    expect(lane.world.happened.filter((what) => what === `applied ${shaAt(2)}`)).toHaveLength(1);
  }),
);

test(
  'what the lane stored in a task whose worker was lost never happened',
  inLane(async (lane) => {
    lane.world.hasChanges = false;
    await lane.merge(manual(9));
    await lane.ended(shaAt(9));
    await lane.merge(aRevision(10));
    const { waiting } = await lane.until('one waits', (view) => view.waiting.length === 1);
    const { runId } = await lane.handle.describe();
    const lost = aRecord({ running: deploymentAt(10, { ...waiting[0] }), writer: { runId, sequence: 99 } });
    lane.world.stored = { record: lost, version: '99' };
    await lane.merge(aRevision(11));
    const stored = await eventually('its own record', async () =>
      lane.world.record?.merged.length === 2 ? lane.world.record : undefined,
    );
    await lane.unlock();
    await lane.ended(shaAt(11));

    expect(stored.running).toBeUndefined();
    expect(lane.world.kept.map(({ revision }) => revision.sha)).toEqual([shaAt(9), shaAt(10), shaAt(11)]);
  }),
);

describe('a lane that was terminated', () => {
  test(
    'follows what ran to its end before anything else',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.handle.terminate();
      await lane.merge(aRevision(2));
      await lane.until('both known', (view) => view.running !== undefined && view.waiting.length === 1);
      await lane.record('followed-again-after-termination');
      lane.world.release();
      await lane.ended(shaAt(2));

      expect(lane.world.kept.map(({ progress }) => progress.status)).toEqual(['succeeded', 'succeeded']);
      expect(lane.world.happened.filter((what) => what.startsWith('planned'))).toHaveLength(2);
    }),
  );

  test(
    'shows and stores the end that its deployment returned while nobody heard of it, once',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      const { running } = await lane.view();
      await lane.handle.terminate();
      lane.world.release();
      await lane.closes(running?.id ?? '');
      const before = lane.world.kept.length;
      await lane.send(MESSAGE.resume, { version: 1 });
      await lane.ended(shaAt(1));
      const view = await lane.until('it has ended', (one) => one.running === undefined);

      expect(before).toBe(0);
      expect(view.latest).toMatchObject({ revision: shaAt(1), status: 'succeeded' });
      expect([...lane.world.checkRuns.values()].map(({ deployment }) => deployment.progress.status)).toEqual([
        'succeeded',
      ]);
      expect(lane.world.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
    }),
  );

  test(
    'starts what it had stored and not started',
    inLane(async (lane) => {
      const at = new Date().toISOString();
      const id = crypto.randomUUID();
      const running = deploymentAt(1, { id, progress: { status: 'preparing', times: { preparing: at }, jobs: {} } });
      lane.world.stored = { record: aRecord({ running }), version: '5' };
      await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'none', sentence: 'only wakes the lane' }));

      expect(await lane.ended(shaAt(1))).toMatchObject({ id, progress: { status: 'succeeded' } });
    }),
  );

  test(
    'starts what it was asking about, however long ago it began to ask',
    inLane(async (lane) => {
      const id = crypto.randomUUID();
      const progress = { status: 'blocked', times: { preparing: NOW, blocked: NOW }, jobs: {} } as const;
      lane.world.stored = { record: aRecord({ running: deploymentAt(1, { id, progress }) }), version: '5' };
      await lane.send(MESSAGE.resume, { version: 1 });

      expect(await lane.ended(shaAt(1))).toMatchObject({ id, progress: { status: 'succeeded' } });
    }),
  );

  test(
    'names the outcome of an apply unknown when nobody can tell what became of it, and locks',
    inLane(async (lane) => {
      const running = deploymentAt(1, {
        id: crypto.randomUUID(),
        progress: { status: 'applying', times: { preparing: NOW, applying: NOW }, jobs: {} },
      });
      lane.world.closedWith = { apply: { jobId: 'job-1', hostId: 'host-1' } };
      lane.world.stored = { record: aRecord({ running }), version: '5' };
      await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'none', sentence: 'only wakes the lane' }));

      expect((await lane.ended(shaAt(1))).progress.status).toBe('apply-outcome-unknown');
      expect((await lane.view()).lock?.kind).toBe('outcome-unknown');
      await lane.record('locked-by-an-unknown-outcome');
    }),
  );

  test(
    'claims nothing of what Temporal has forgotten, however far it was said to be',
    inLane(async (lane) => {
      const progress = { status: 'awaiting-review', times: { 'awaiting-review': NOW }, jobs: {} } as const;
      lane.world.closedWith = { apply: { jobId: 'job-1', hostId: 'host-1' } };
      lane.world.stored = {
        record: aRecord({ running: deploymentAt(1, { id: crypto.randomUUID(), progress }) }),
        version: '5',
      };
      await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'none', sentence: 'only wakes the lane' }));

      expect((await lane.ended(shaAt(1))).progress.status).toBe('apply-outcome-unknown');
    }),
  );

  test(
    'writes the end of that apply to the audit trail: unknown',
    inLane(async (lane) => {
      const job = { id: 'job-1', startedAt: NOW };
      const running = deploymentAt(1, {
        id: crypto.randomUUID(),
        progress: { status: 'applying', times: { preparing: NOW, applying: NOW }, jobs: { apply: job } },
      });
      lane.world.closedWith = { apply: { jobId: 'job-1', hostId: 'host-1' } };
      lane.world.stored = { record: aRecord({ running }), version: '5' };
      await lane.send(MESSAGE.notice, aNotice({ deploymentId: 'none', sentence: 'only wakes the lane' }));
      await lane.ended(shaAt(1));

      const audit = await eventually('an audit event', async () => lane.world.audits[0]);
      expect(audit).toMatchObject({ id: 'job-1:UNKNOWN', revision: shaAt(1), rootName: 'network' });
    }),
  );
});

test(
  'a deployment of which somebody says that it has ended is recorded as its workflow returns it',
  inLane(async (lane) => {
    lane.world.hold();
    await lane.merge(aRevision(1));
    await lane.plans(shaAt(1));
    const { running } = await lane.view();
    const forged = { version: 1, deploymentId: running?.id ?? '', progress: progressAs('cancelled') };
    await lane.send(MESSAGE.deploymentEnded, forged);
    lane.world.release();

    expect((await lane.ended(shaAt(1))).progress.status).toBe('succeeded');
  }),
);
