import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  CONTROL_QUEUE,
  MESSAGE,
  WORKFLOW,
  type LaneView,
  type NewRevision,
  type TerraformInput,
} from '@nereid/contracts';
import { aDeployment } from '@nereid/github/testing';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { queryAtRest } from '@nereid/test-kit/query-at-rest';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import type { WorkflowHandle } from '@temporalio/client';
import { openIntakeStage, type IntakeStage } from '../intake/testing/intake-stage.ts';
import { createLaneActivities } from '../lane/lane-activities.ts';
import { signalLane } from '../lane/signal-lane.ts';
import { mendStuck } from './mend-stuck.ts';

const OTHER_RELEASE = fileURLToPath(new URL('testing/other-release.ts', import.meta.url));

let environment: WorkflowEnvironment;
let stage: IntakeStage;

beforeAll(async () => {
  environment = await createWorkflowEnvironment({ isReplayed: false });
  stage = await openIntakeStage();
});

afterAll(async () => {
  await stage.close();
  await environment.close();
});

test('a stuck lane begins again with what it knew and all that it was told since; a stuck terraform workflow is ended', async () => {
  const { repository } = await stage.repository({ 'README.md': '' });
  const context = { ...stage.context, temporal: environment.client };
  const { workflow } = environment.client;

  let lane = '';
  const terraform = await asOtherRelease(async () => {
    lane = await signalLane(context, repository, 'network', { name: MESSAGE.newRevision, body: aRevision('one') });
    const { version: _version, requestId: _request, ...revision } = aRevision('other');
    const input: TerraformInput = {
      ...revision,
      deploymentId: 'deployment-1',
      repository,
      reviewRequired: false,
      laneId: 'another lane',
    };
    const started = await workflow.start(WORKFLOW.terraform, {
      workflowId: input.deploymentId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
    });
    await Promise.all([begun(workflow.getHandle(lane)), begun(started)]);
    return started;
  });
  await signalLane(context, repository, 'network', { name: MESSAGE.newRevision, body: aRevision('two') });
  await terraform.signal(MESSAGE.cancelling, {});

  const sentences = await asThisRelease(context, async () => {
    await Promise.all([stuck(workflow.getHandle(lane)), stuck(terraform)]);
    const mended = await mendStuck(context, new AbortController().signal);
    expect(await requestsIn(workflow.getHandle(lane))).toEqual(['one', 'two']);
    return mended;
  });

  expect(new Set(sentences)).toEqual(
    new Set([
      `the lane ${lane} was stuck, and begins again at its record`,
      'the terraform workflow deployment-1 was stuck, and was ended',
    ]),
  );
  expect((await terraform.describe()).status.name).toBe('TERMINATED');
});

function aRevision(requestId: string): NewRevision {
  const { revision, root, trigger, rerun, force, requestedBy } = aDeployment({ status: 'queued' });
  const sha = createHash('sha1').update(requestId).digest('hex');
  return { version: 1, requestId, root, revision: { ...revision, sha }, trigger, rerun, force, requestedBy };
}

async function asOtherRelease<T>(act: () => Promise<T>): Promise<T> {
  const workflowBundle = { code: await bundleWorkflows(OTHER_RELEASE) };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, workflowBundle });
  return worker.runUntil(act);
}

async function asThisRelease<T>(context: IntakeStage['context'], act: () => Promise<T>): Promise<T> {
  const activities = { ...createLaneActivities(context) };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities });
  return worker.runUntil(act);
}

/** Returns once its first task is done. */
async function begun(handle: WorkflowHandle): Promise<void> {
  await eventually('its first task', async () => {
    const { events } = await handle.fetchHistory();
    return events?.some(({ timerStartedEventAttributes: started }) => started) === true ? true : undefined;
  });
}

/** Returns once Temporal tries the same task again. */
async function stuck(handle: WorkflowHandle): Promise<void> {
  await eventually('a task that is tried again', async () => {
    const { raw } = await handle.describe();
    return (raw.pendingWorkflowTask?.attempt ?? 0) > 1 ? true : undefined;
  });
}

async function requestsIn(lane: WorkflowHandle): Promise<readonly string[]> {
  return eventually('both deployments', async () => {
    const { running, waiting } = await queryAtRest<LaneView>(lane, MESSAGE.lane);
    const all = [...(running ? [running] : []), ...waiting].map(({ requestId }) => requestId);
    return all.length === 2 ? all.sort() : undefined;
  });
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 12_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
