import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Deployment, DeploymentStatus, Presentation, Shown } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { aLock, aPlan, aLargeSummary, aRecord, aRevision, deploymentAt, NOW, shaAt } from '@nereid/domain/testing';
import { openLanes } from './testing/in-lane.ts';
import { eventually, type LaneDriver } from './testing/lane-driver.ts';

const inLane = openLanes();

/** Longer than any test. */
const NEVER_MS = 3_600_000;

const statusOf = ({ deployment }: Presentation) => deployment.progress.status;

const shown = (lane: LaneDriver, position: number, ...statuses: readonly DeploymentStatus[]) =>
  eventually(`the check run of ${position} as ${statuses.join(' or ')}`, async () =>
    [...lane.world.checkRuns.values()].find(
      (one) => one.deployment.revision.sha === shaAt(position) && statuses.includes(statusOf(one)),
    ),
  );

/** What looks the same on GitHub. */
const AT_WORK = ['preparing', 'planning'] as const;

/** What comes waits: its check run is the lane's to write. */
const lock = (lane: LaneDriver) => (lane.world.stored = { record: aRecord({ lock: aLock('manual') }), version: '5' });

const failed = ({ deployment: { id } }: Presentation) =>
  ({ deploymentId: id, kind: 'failed', why: 'status 502' }) satisfies Shown;

/** GitHub answers nothing until it is told. */
function silence(lane: LaneDriver): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  lane.world.silence = promise;
  return () => {
    lane.world.silence = undefined;
    resolve(undefined);
  };
}

describe('while GitHub answers nothing at all', () => {
  test(
    'deployments run through, and afterwards each check run says how it ended',
    inLane(async (lane) => {
      lane.world.hold();
      const speakAgain = silence(lane);
      for (const position of [1, 2, 3]) await lane.merge(aRevision(position));
      await eventually('a check run that is under way', async () => lane.world.sent[0]);
      lane.world.release();
      await lane.ended(shaAt(3));
      await lane.record('while-github-is-silent');
      const before = lane.world.checkRuns.size;
      speakAgain();

      expect(before).toBe(0);
      for (const position of [1, 2, 3]) await shown(lane, position, 'succeeded');
    }),
  );

  test(
    'a lane that wants to continue as new lets what has its turn run first',
    inLane(async (lane) => {
      lane.world.hasChanges = false;
      await lane.merge(aRevision(1, { trigger: 'manual' }));
      await shown(lane, 1, 'no-changes');
      const speakAgain = silence(lane);
      await lane.merge(aRevision(2));
      await eventually('a check run that is under way', async () => lane.world.batches.underWay || undefined);
      const { runId } = await lane.handle.describe();
      await lane.carriesOn(async () => {
        const { events } = await lane.handle.fetchHistory();
        const last = events?.findLast((event) => event.workflowTaskStartedEventAttributes != null);
        return last?.workflowTaskStartedEventAttributes?.suggestContinueAsNew === true;
      });
      await lane.unlock();
      await lane.plans(shaAt(2));

      expect((await lane.handle.describe()).runId).toBe(runId);
      speakAgain();
      await shown(lane, 2, 'no-changes');
    }),
  );

  test(
    'a lane that is cancelled cancels what runs, and sends nothing that could overtake what is under way',
    inLane(async (lane) => {
      lane.world.hold();
      const speakAgain = silence(lane);
      await lane.merge(aRevision(1));
      await lane.plans(shaAt(1));
      await lane.merge(aRevision(2));
      await eventually('a check run that is under way', async () => lane.world.batches.underWay || undefined);
      await lane.handle.cancel();
      const ended = await lane.ended(shaAt(1));
      speakAgain();
      for (const position of [1, 2]) await shown(lane, position, 'cancelled');

      expect(ended.progress.status).toBe('cancelled');
      expect(lane.world.batches.atOnce).toBe(1);
    }),
  );
});

test(
  'a check run is written again when somebody says that it would say more by now',
  inLane(async (lane) => {
    lock(lane);
    await lane.merge(aRevision(1));
    await shown(lane, 1, 'queued');
    const before = lane.world.sent.flat().length;
    await lane.handle.signal(MESSAGE.lookAgain, null);

    const last = await eventually('the check run once more', async () => {
      // One that comes while a write is under way is lost.
      await lane.handle.signal(MESSAGE.lookAgain, { version: 1, isToShow: true });
      const written = lane.world.sent.flat();
      return written.length > before ? written.at(-1) : undefined;
    });

    expect(last).toMatchObject({ deployment: { revision: { sha: shaAt(1) }, checkRuns: [expect.anything()] } });
  }),
);

test(
  'check runs of large plans go in batches that Temporal takes',
  inLane(async (lane) => {
    const plan = aPlan({ summary: aLargeSummary() });
    const ended = Array.from({ length: 13 }, (_, position) =>
      deploymentAt(position, { progress: { status: 'succeeded', times: { succeeded: NOW }, jobs: {}, plan } }),
    );
    lane.world.stored = { record: aRecord({ ended }), version: '5' };
    await lane.send(MESSAGE.resume, { version: 1 });
    await eventually('all', async () => (lane.world.checkRuns.size === ended.length ? true : undefined));

    const sizes = lane.world.sent.map((batch) => Buffer.byteLength(JSON.stringify(batch)));
    expect(Math.max(...sizes)).toBeLessThan(1_050_000);
    expect(lane.world.sent.flat()).toHaveLength(ended.length);
  }),
);

describe('a check run that GitHub does not take', () => {
  test(
    'holds up no other, and no later one',
    inLane(
      async (lane) => {
        lane.world.answer = (one) => (one.deployment.revision.sha === shaAt(1) ? failed(one) : undefined);
        await lane.merge(aRevision(1));
        await lane.merge(aRevision(2));
        await shown(lane, 2, 'succeeded');
        await lane.merge(aRevision(3));

        expect(statusOf(await shown(lane, 3, 'succeeded'))).toBe('succeeded');
        expect(lane.world.sent.flat().filter(({ deployment }) => deployment.revision.sha === shaAt(1))).toHaveLength(1);
      },
      { retryMs: NEVER_MS, retryLimitMs: NEVER_MS },
    ),
  );

  test(
    'is tried again until it is taken, and looked for first',
    inLane(async (lane) => {
      lock(lane);
      lane.world.answer = failed;
      await lane.merge(aRevision(1));
      await eventually('three tries', async () => lane.world.sent[2]);
      lane.world.answer = () => undefined;
      const taken = await shown(lane, 1, 'queued');

      expect(taken.creationUncertain).toBe(true);
    }),
  );

  test(
    'because it limits us waits for its turn, and holds up no other',
    inLane(async (lane) => {
      const isFirst = ({ deployment }: Presentation) => deployment.revision.sha === shaAt(1);
      lane.world.answer = (presentation) =>
        isFirst(presentation)
          ? { deploymentId: presentation.deployment.id, kind: 'limited', why: 'status 403', retryAfterMs: NEVER_MS }
          : undefined;
      lock(lane);
      for (const position of [1, 2, 3]) await lane.merge(aRevision(position));
      await shown(lane, 2, 'queued');
      await shown(lane, 3, 'queued');
      await lane.record('limited-by-github');

      expect(lane.world.sent.flat().filter(isFirst)).toHaveLength(1);
    }),
  );

  test(
    'because it limits us is taken after the wait',
    inLane(async (lane) => {
      lane.world.answer = ({ deployment: { id } }) => ({
        deploymentId: id,
        kind: 'limited',
        why: 'status 403',
        retryAfterMs: 50,
      });
      lock(lane);
      await lane.merge(aRevision(1));
      await eventually('two tries', async () => lane.world.sent[1]);
      lane.world.answer = () => undefined;

      expect(statusOf(await shown(lane, 1, 'queued'))).toBe('queued');
    }),
  );
});

test(
  'a cancelled lane tells all that waited of it, but for what GitHub never takes, and its record keeps only that',
  inLane(async (lane) => {
    const merged = Array.from({ length: 100 }, (_, position) => deploymentAt(position));
    const isTaken = ({ id }: Deployment) => Number(id) >= 45;
    lane.world.stored = { record: aRecord({ merged, lock: aLock('outcome-unknown') }), version: '5' };
    lane.world.answer = (one) => (isTaken(one.deployment) ? undefined : failed(one));
    await lane.send(MESSAGE.resume, { version: 1 });
    await lane.until('all wait', ({ waiting }) => waiting.length === merged.length);
    await lane.handle.cancel();
    await eventually('its end', async () =>
      (await lane.handle.describe()).status.name === 'CANCELLED' ? true : undefined,
    );

    const told = [...lane.world.checkRuns.values()].filter((one) => statusOf(one) === 'cancelled');
    expect(told).toHaveLength(merged.filter(isTaken).length);
    expect(lane.world.record?.merged).toEqual([]);
    expect(lane.world.record?.ended?.filter(isTaken)).toEqual([]);
    expect(lane.world.record?.ended).toHaveLength(45);
  }),
);

test(
  'a deployment goes on with the check run that its lane may have created',
  inLane(async (lane) => {
    lane.world.answer = (one) => (statusOf(one) === 'preparing' ? failed(one) : undefined);
    await lane.merge(aRevision(1));

    expect((await shown(lane, 1, 'planning', 'succeeded')).creationUncertain).toBe(true);
  }),
);

describe('a lane that continues as new', () => {
  test(
    'writes no check run again that says what it should',
    inLane(async (lane) => {
      lane.world.hold();
      await lane.merge(aRevision(1));
      await lane.merge(aRevision(2));
      await shown(lane, 1, ...AT_WORK);
      await shown(lane, 2, 'queued');
      await lane.carriesOn();
      const before = lane.world.sent.length;
      await lane.merge(aRevision(3));
      await shown(lane, 3, 'queued');

      const again = lane.world.sent.slice(before).flat();
      expect(again.map(({ deployment }) => deployment.revision.sha)).toEqual([shaAt(3)]);
    }),
  );

  test(
    'looks for what may have been created',
    inLane(async (lane) => {
      lock(lane);
      lane.world.down.checkRuns = true;
      await lane.merge(aRevision(1));
      await eventually('a try', async () => lane.world.sent[0]);
      await lane.carriesOn();
      const before = lane.world.sent.length;
      lane.world.down.checkRuns = false;
      await shown(lane, 1, 'queued');

      expect(lane.world.sent.slice(before).flat()[0]?.creationUncertain).toBe(true);
    }),
  );

  test(
    'takes over from one that did not hand over what its check runs say',
    inLane(async (lane) => {
      const waiting = deploymentAt(1, { id: randomUUID(), checkRuns: [{ id: 7, completed: false }] });
      const record = aRecord({ merged: [waiting] });
      await lane.start({ record, recordVersion: null, notices: {}, reported: {} });

      expect((await shown(lane, 1, 'succeeded')).deployment.id).toBe(waiting.id);
    }),
  );
});
