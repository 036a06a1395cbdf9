import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LaneActivities, LaneRecord, LaneView } from '@nereid/domain/lane';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aLock, aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { createLaneRecords, openObjectStore, type LaneRecords, type ObjectStore } from '@nereid/storage';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { pino } from 'pino';
import { DrivenDeployment } from '../platform/temporal/testing/driven-deployment.ts';
import { queryAgain } from '../platform/temporal/testing/query-again.ts';
import { readLane } from './record/lane-record.ts';
import { laneStart } from './start-lane.ts';
import { viewLane, withProgress } from './view-lane.ts';

/** A lane reads its record within a second; only what hangs takes minutes. */
const SO_WITHIN_MS = 120_000;

const logger = pino({ level: 'silent' });

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();
let store: ObjectStore;
let laneRecords: LaneRecords;
/** While it is pending, no lane gets its record. */
let held: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  // Some of its workflows are those that the tests themselves work on.
  environment = await createWorkflowEnvironment({ isReplayed: false });
  store = await openObjectStore(`file:${folder}`);
  laneRecords = createLaneRecords(store);
  const activities: Pick<LaneActivities, 'readLane' | 'settleLane'> = {
    readLane: async (...asked) => (await held, readLane({ laneRecords, logger }, ...asked)),
    // What is stored is for the tests to say.
    settleLane: async ({ ifVersion }) => ({ kind: 'stored', version: ifVersion ?? '' }),
  };
  await environment.runWorker({ taskQueue: CONTROL_QUEUE, activities });
});

afterAll(async () => {
  await environment.close();
  store.close();
});

function view(rootName: string): Promise<LaneView | undefined> {
  return viewLane({ temporal: environment.client, laneRecords, logger }, REPOSITORY, rootName);
}

/** What storage says of the lane, whatever it said before. */
async function record(rootName: string, changes: Partial<LaneRecord>): Promise<void> {
  const version = (await laneRecords.read(REPOSITORY, rootName))?.version ?? null;
  await laneRecords.write(aRecord({ rootName, ...changes }), version);
}

function start(rootName: string, taskQueue: string = CONTROL_QUEUE) {
  return environment.client.workflow.start(WORKFLOW.deploy, { ...laneStart(REPOSITORY, rootName), taskQueue });
}

/** A lane that has read from its record that it is locked. */
async function startLocked(rootName: string) {
  await record(rootName, { lock: aLock() });
  const lane = await start(rootName);
  const deadline = Date.now() + SO_WITHIN_MS;
  while (!(await queryAgain<LaneView>(lane, 'lane')).isRestored) {
    if (Date.now() > deadline) throw new Error(`expected that ${rootName} has read its record, found that it has not`);
  }
  return lane;
}

describe('a lane', () => {
  test('that runs is as it says, whatever is stored', async () => {
    await startLocked('runs');
    await record('runs', {});

    expect(await view('runs')).toMatchObject({ rootName: 'runs', lock: aLock() });
  });

  test('that does not run is as its record says', async () => {
    await record('idle', { lock: aLock(), merged: [deploymentAt(3)] });

    expect(await view('idle')).toMatchObject({
      isRestored: true,
      lock: aLock(),
      waiting: [{ id: '3' }],
      waitsFor: expect.stringContaining('locked by'),
    });
  });

  test('that ended is as its record says: so it starts again', async () => {
    const lane = await startLocked('ended');
    await lane.terminate();
    await record('ended', {});

    expect(await view('ended')).not.toHaveProperty('lock');
  });

  test('that still reads its record is as the record says', async () => {
    const { promise, resolve } = Promise.withResolvers();
    held = promise;
    await record('reads', { lock: aLock() });
    await start('reads');

    const seen = await view('reads');

    resolve(undefined);
    expect(seen).toMatchObject({ isRestored: true, lock: aLock() });
  });

  test('that does not answer is as its record says', async () => {
    await record('stuck', { lock: aLock() });
    await start('stuck', 'nobody');

    expect(await view('stuck')).toMatchObject({ isRestored: true, lock: aLock() });
  });

  test('of a root that was never deployed is not there', async () => {
    expect(await view('never')).toBeUndefined();
  });

  test('whose record cannot be read is no lane without a record', async () => {
    await store.put('lanes/acme/infra/broken.json', Buffer.from('{'));

    await expect(view('broken')).rejects.toThrow('lanes/acme/infra/broken.json');
  });
});

describe('how far a running deployment is', () => {
  const queued = { queued: '2026-01-31T13:59:00.000Z' };
  const planning = { planning: '2026-01-31T14:00:00.000Z' };

  test('its own workflow says; when it was queued its lane knows', async () => {
    const driven = await DrivenDeployment.start(environment, REPOSITORY);
    await driven.goesOn();
    const known = { ...driven.deployment, progress: { ...driven.deployment.progress, times: queued } };

    const [asked] = await Promise.all([
      withProgress({ temporal: environment.client, logger }, known),
      driven.says({ status: 'planning', times: planning }),
    ]);

    expect(asked).toMatchObject({ id: known.id, progress: { status: 'planning', times: { ...queued, ...planning } } });
  });

  test('is what its lane knows, where it has no workflow yet', async () => {
    const deployment = deploymentAt(4);

    expect(await withProgress({ temporal: environment.client, logger }, deployment)).toBe(deployment);
  });
});
