import { beforeEach, describe, expect, test } from '@jest/globals';
import { laneWorkflowId } from '@nereid/domain/lane';
import { SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment } from '@nereid/domain/testing';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkerContext } from '../platform/context.ts';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import type { StagedRepository } from '../intake/testing/staged-repository.ts';
import { laneStart } from '../lane/start-lane.ts';
import { createResumeLanes, resumeEnded } from './resume-lanes.ts';

const HOUR_MS = 3_600_000;
const WAITING = { merged: [{ ...aDeployment({ status: 'queued' }), id: 'waits' }] };

const stage = intakeStageOfThisFile();
/** No worker takes tasks there: lanes are started, and that is all. */
const still = environmentOfThisFile({ isReplayed: false });
let context: WorkerContext;
let infra: StagedRepository;
let read: string[];

beforeEach(async () => {
  infra = await stage.repository({ 'README.md': '' });
  read = [];
  const { laneRecords } = stage.context;
  const counted = {
    ...laneRecords,
    read: (...[repository, rootName]: Parameters<typeof laneRecords.read>) => {
      read.push(rootName);
      return laneRecords.read(repository, rootName);
    },
    // Each test has a repository of its own.
    async *list() {
      for await (const lane of laneRecords.list()) if (lane.name === infra.repository.name) yield lane;
    },
  };
  context = { ...stage.context, temporal: still.client, laneRecords: counted };
});

const idOf = (rootName: string) => laneWorkflowId(infra.repository, rootName);
const { signal } = new AbortController();

test('a lane that was ended by force goes on with what waits in it', async () => {
  const lane = infra.lane('network');
  await lane.start(WAITING);
  await stage.context.temporal.workflow.getHandle(lane.id).terminate();
  // What it had done by then is not what this is about.
  await lane.record(WAITING);
  const resume = createResumeLanes({ ...context, temporal: stage.context.temporal });

  const found = await eventually(() => resume(signal, Date.now()));

  expect(found).toEqual([`resumed ${lane.id}`]);
  await lane.runs('waits');
});

test('a lane that was ended by force lately goes on without a look at all records, once', async () => {
  for (const name of ['network', 'forgotten']) await infra.lane(name).record(WAITING);
  const { workflowId, typedSearchAttributes } = laneStart(infra.repository, 'network');
  const options = { workflowId, typedSearchAttributes, taskQueue: 'nobody' };
  await (await still.client.workflow.start(WORKFLOW.deploy, options)).terminate();
  const resume = () => resumeEnded(context, signal, Date.now());

  expect(await eventually(resume)).toEqual([`resumed ${idOf('network')}`]);

  expect(await resume()).toEqual([]);
  expect(read).toEqual(['network']);
});

test('600 lanes that Temporal has forgotten all go on, a locked one and one with an untold end too', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `root-${index}`);
  for (const name of names) await infra.lane(name).record(WAITING);
  await infra.lane('locked').record({ ...WAITING, lock: aLock() });
  await infra.lane('untold').record({ ended: WAITING.merged });
  await infra.lane('idle').record({});
  const resume = createResumeLanes(context);

  const found = await resume(signal, Date.now());

  expect(found.toSorted()).toEqual([...names, 'locked', 'untold'].map((name) => `resumed ${idOf(name)}`).toSorted());
  await eventually(async () => ((await openLanes()) === 602 ? ['all'] : []));
  expect(await openLanes()).toBe(602);
  expect(await resume(signal, Date.now())).toEqual([]);
});

describe('a lane without work', () => {
  test('is read again only after it ran, or after an hour', async () => {
    await infra.lane('idle').record({});
    const resume = createResumeLanes(context);
    const now = Date.now();

    await resume(signal, now);
    await resume(signal, now + 1_000);
    expect(read).toEqual(['idle']);

    await resume(signal, now + HOUR_MS);
    expect(read).toEqual(['idle', 'idle']);
  });

  test('that was given some and ended by force since is found', async () => {
    await infra.lane('network').record({});
    const resume = createResumeLanes(context);
    await resume(signal, Date.now());
    const run = await still.client.workflow.start(WORKFLOW.deploy, {
      workflowId: idOf('network'),
      taskQueue: 'nobody',
    });
    await infra.lane('network').record(WAITING);
    await run.terminate();

    expect(await eventually(() => resume(signal, Date.now()))).toEqual([`resumed ${idOf('network')}`]);
  });
});

test('a record that cannot be read stops no other lane', async () => {
  await infra.lane('broken').breakRecord('{"version":1,"repos');
  await infra.lane('network').record(WAITING);

  const found = await createResumeLanes(context)(signal, Date.now());

  expect(found.toSorted()).toEqual([
    `could not resume ${idOf('broken')}: the log says why`,
    `resumed ${idOf('network')}`,
  ]);
});

async function openLanes(): Promise<number> {
  const repository = `${infra.repository.owner}/${infra.repository.name}`;
  const query = `ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTE.repository} = '${repository}'`;
  return (await still.client.workflow.count(query)).count;
}

function aLock() {
  return {
    kind: 'manual',
    deploymentId: 'other',
    revision: 'a'.repeat(40),
    by: 'ada',
    at: new Date().toISOString(),
  } as const;
}

/** Temporal lists what closed a moment later. */
async function eventually(ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await ask();
    if (found.length > 0 || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
