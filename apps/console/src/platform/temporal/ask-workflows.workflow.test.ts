/** Lanes of a real Temporal, asked as the console asks them. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { StuckReport, WatchParts } from '@nereid/domain/activities';
import { laneWorkflowId, type LaneInput, type LaneRead, type LaneStored, type LaneView } from '@nereid/domain/lane';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aLock } from '@nereid/domain/testing';
import { inParts } from '@nereid/domain/parts';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { aLaneRecord, LANE, REPOSITORY, RUNNING } from '../../testing.ts';
import { createAskPending, FAILURE_LIMIT, type PendingActivity } from './ask-pending.ts';
import { createAskStuck, type AskStuck } from './ask-stuck.ts';
import { createAskWorkflows } from './ask-workflows.ts';
import type { Asked } from './asked.ts';

const environment = environmentOfThisFile();
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('a lane that runs says how it stands; one that was ended leaves that to its record', async () => {
  await aWorker(() => Promise.resolve({ kind: 'read', stored: null }));
  const lane = await aLane();

  const running = await untilFound();
  await lane.terminate();

  expect(running).toMatchObject({ value: { rootName: LANE.rootName, isRestored: true, waiting: [] } });
  expect(await asking().askLane(LANE)).toEqual({ kind: 'absent' });
});

test('a lane that reads its record leaves it to that', async () => {
  const { promise: read, resolve } = Promise.withResolvers<LaneRead>();
  await aWorker(() => read);
  await aLane();

  expect(await asking().askLane(LANE)).toEqual({ kind: 'absent' });

  const lock = aLock();
  resolve({ kind: 'read', stored: { record: aLaneRecord({ lock }), version: '1' } });
  expect(await untilFound()).toMatchObject({ value: { lock } });
});

test('a lane and a deployment that never were are absent', async () => {
  await aWorker(() => Promise.resolve({ kind: 'read', stored: null }));

  expect(await asking().askLane({ ...LANE, rootName: 'another' })).toEqual({ kind: 'absent' });
  expect(await asking().askProgress(RUNNING.id)).toEqual({ kind: 'absent' });
});

test('a query that fails says nothing of the lane: it is not absent', async () => {
  const { promise: last, resolve } = Promise.withResolvers<null>();
  await aWorker(() => Promise.resolve({ kind: 'read', stored: null }), { watch: () => last });
  const workflowId = laneWorkflowId(LANE, LANE.rootName);
  const other = await environment.client.workflow.start(WORKFLOW.watch, { workflowId, taskQueue: CONTROL_QUEUE });

  expect(await asking().askLane(LANE)).toEqual({ kind: 'unavailable' });
  await other.terminate();
  resolve(null);
});

test('a lane without workers does not answer, and a page waits for it as long as its deadline says', async () => {
  await aLane();
  const patiently = asking(60_000).askLane(LANE);

  const first = await Promise.race([patiently.then(() => 'the patient page'), asking(500).askLane(LANE)]);
  await aWorker(() => Promise.resolve({ kind: 'read', stored: null }));

  expect(first).toEqual({ kind: 'unavailable' });
  expect(await patiently).not.toEqual({ kind: 'unavailable' });
});

test('what a workflow tries again is told with its attempt and its last failure, and what never was waits for nothing', async () => {
  await aWorker(() => Promise.reject(new Error(`the bucket is away ${'.'.repeat(FAILURE_LIMIT)}`)));
  const { workflowId } = await aLane();
  const askPending = createAskPending(environment.client, pino({ level: 'silent' }));

  const tried = await untilTried(() => askPending(workflowId));

  expect(tried).toMatchObject({ activity: 'readLane', attempt: expect.any(Number), isRunning: expect.any(Boolean) });
  expect(tried?.lastFailure).toMatch(/^the bucket is away \.+$/);
  expect(tried?.lastFailure).toHaveLength(FAILURE_LIMIT);
  expect(await askPending(RUNNING.id)).toEqual([]);
});

test('what the last watch found stuck is known, but not what goes on again; and nothing while Temporal is away', async () => {
  const found = { runId: 'r', type: WORKFLOW.deploy, reason: 'it fails', isShown: true };
  const workflows = [
    { ...found, workflowId: 'acme/infra||network' },
    { ...found, workflowId: 'acme/infra||dns', goesOn: true as const },
  ];
  await aWorker(() => Promise.resolve({ kind: 'read', stored: null }), {
    watch: inParts({
      lastWatch: () => Promise.resolve(null),
      reportStuck: () => Promise.resolve({ count: 1, workflows } satisfies StuckReport),
      resumeLanes: () => Promise.resolve([]),
      reportClosed: () => Promise.resolve({ found: [] }),
    } satisfies WatchParts),
  });
  await environment.client.workflow.execute(WORKFLOW.watch, { workflowId: 'watch-1', taskQueue: CONTROL_QUEUE });
  const askStuck = createAskStuck(environment.client, pino({ level: 'silent' }), { freshMs: 0 });

  await untilSeen(askStuck);
  const away = createAskStuck(environment.client, pino({ level: 'silent' }), { deadlineMs: -1 });

  expect([...(await askStuck())]).toEqual(['acme/infra||network']);
  expect([...(await away())]).toEqual([]);
});

/** Temporal lists a workflow a moment after its end. */
async function untilSeen(askStuck: AskStuck): Promise<void> {
  for (let left = 100; (await askStuck()).size === 0 && left > 0; left -= 1) await setTimeout(100);
}

async function untilTried(ask: () => Promise<readonly PendingActivity[]>): Promise<PendingActivity | undefined> {
  for (let left = 100; ; left -= 1) {
    const [pending] = await ask();
    if ((pending?.attempt ?? 0) > 1 || left === 0) return pending;
    await setTimeout(100);
  }
}

/** A lane reads its record first. */
async function untilFound(): Promise<Asked<LaneView>> {
  for (let left = 100; ; left -= 1) {
    const asked = await asking().askLane(LANE);
    if (asked.kind === 'found' || left === 0) return asked;
    await setTimeout(100);
  }
}

/** Long enough for a worker that others slow down. */
function asking(deadlineMs = 20_000) {
  const { connection } = environment.client;
  const { namespace } = environment;
  return createAskWorkflows(
    (options) => new Client({ connection, namespace, ...options }),
    pino({ level: 'silent' }),
    deadlineMs,
  );
}

/** Ended after the test. */
async function aLane() {
  const input: LaneInput = { repository: REPOSITORY, rootName: LANE.rootName };
  const lane = await environment.client.workflow.start(WORKFLOW.deploy, {
    workflowId: laneWorkflowId(LANE, LANE.rootName),
    taskQueue: CONTROL_QUEUE,
    args: [input],
  });
  ends.push(() => lane.terminate().catch(() => undefined));
  return lane;
}

/** Stopped after the test. */
async function aWorker(readLane: () => Promise<LaneRead>, more: object = {}): Promise<void> {
  const settleLane = () => Promise.resolve({ kind: 'stored', version: '2' } satisfies LaneStored);
  const activities = { readLane, settleLane, ...more };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities });
  const running = worker.run();
  ends.push(() => {
    worker.shutdown();
    return running;
  });
}
