import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  CONTROL_QUEUE,
  lateOutcomeWorkflowId,
  WORKFLOW,
  type IntakeActivities,
  type LateOutcomeEvent,
  type Progress,
  type TerraformInput,
} from '@nereid/contracts';
import { aDeployment } from '@nereid/github/testing';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { ApplicationFailure } from '@temporalio/common';
import { encodeToPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { pino } from 'pino';
import { createEndedDeployments, type EndedDeployments } from './ended-deployments.ts';

/** `CommandType` of temporal/api/enums/v1/command_type.proto. */
const COMPLETE_WORKFLOW_EXECUTION = 4;
/** The task is there; the server wants to know how long one would wait. */
const POLLED_WITHIN_MS = 10_000;
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const EVENT: LateOutcomeEvent = {
  kind: 'late-outcome',
  repository: REPOSITORY,
  rootName: 'network',
  deploymentId: 'd1',
  sentence: 'Host h1 came back.',
};

let environment: WorkflowEnvironment;
let ended: EndedDeployments;
let warned: string[];

beforeAll(async () => {
  // Nobody runs the terraform workflows of these tests.
  environment = await createWorkflowEnvironment({ isReplayed: false });
});

beforeEach(() => {
  warned = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) });
  ended = createEndedDeployments(environment.client, logger);
});

afterAll(() => environment.close());

/** A deployment whose workflow has begun, and how it ends. */
async function aDeploymentOfTemporal() {
  const { workflow } = environment.client;
  const deploymentId = randomUUID();
  const { root, revision, trigger, rerun, force, requestedBy } = aDeployment({ status: 'queued' });
  const asked = { root, revision, trigger, rerun, force, requestedBy, reviewRequired: true, laneId: 'a lane' };
  const input: TerraformInput = { deploymentId, repository: REPOSITORY, ...asked };
  const handle = await workflow.start(WORKFLOW.terraform, {
    workflowId: deploymentId,
    taskQueue: deploymentId,
    args: [input],
  });
  return {
    input,
    handle,
    ends: async (progress: Partial<Progress>) => {
      const { namespace } = environment;
      const { workflowService } = environment.client;
      const taskQueue = { name: deploymentId };
      const { taskToken } = await environment.client.withDeadline(Date.now() + POLLED_WITHIN_MS, () =>
        workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
      );
      const payloads = await encodeToPayloads(workflow.options.loadedDataConverter, {
        times: {},
        jobs: {},
        ...progress,
      });
      const completeWorkflowExecutionCommandAttributes = { result: { payloads: payloads ?? [] } };
      const command = { commandType: COMPLETE_WORKFLOW_EXECUTION, completeWorkflowExecutionCommandAttributes };
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- no package of ours may name the enum
      await workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands: [command] });
    },
  };
}

const APPLY = { id: 'a-job', startedAt: '2026-01-31T14:00:00.000Z' };

test('the apply of an unknown outcome is known by its start and its result', async () => {
  const { input, ends } = await aDeploymentOfTemporal();
  const { deploymentId, root, revision, requestedBy } = input;
  expect(await ended.isOver(deploymentId)).toBe(false);

  await ends({ status: 'apply-outcome-unknown', hostId: 'h1', jobs: { apply: APPLY } });

  expect(await ended.isOver(deploymentId)).toBe(true);
  const job = { deploymentId, jobId: 'a-job', repository: REPOSITORY, root, revision, requestedBy };
  expect(await ended.findUnknownApply(deploymentId)).toEqual({ job, hostId: 'h1' });
});

test('of an apply that ended otherwise nothing is unknown', async () => {
  const { input, ends } = await aDeploymentOfTemporal();

  await ends({ status: 'apply-failed', hostId: 'h1', jobs: { apply: APPLY } });

  expect(await ended.findUnknownApply(input.deploymentId)).toBeUndefined();
  expect(warned).toEqual([]);
});

test('a deployment that Temporal has forgotten is over; that its end is not known is logged', async () => {
  const forgotten = randomUUID();

  expect(await ended.isOver(forgotten)).toBe(true);
  expect(await ended.findUnknownApply(forgotten)).toBeUndefined();
  expect(warned).toEqual([expect.stringContaining(forgotten)]);
});

test('so is one whose workflow was ended by force', async () => {
  const { input, handle } = await aDeploymentOfTemporal();
  await handle.terminate();

  expect(await ended.isOver(input.deploymentId)).toBe(true);
  expect(await ended.findUnknownApply(input.deploymentId)).toBeUndefined();
  expect(warned).toEqual([expect.stringContaining(input.deploymentId)]);
});

test('an outcome is told once, and again only where it was not taken', async () => {
  const asked: unknown[] = [];
  const takeLateOutcome: IntakeActivities['takeLateOutcome'] = async (_delivery, event) => {
    asked.push(event);
    if (asked.length === 1) throw ApplicationFailure.nonRetryable('a bug');
    return { kind: 'shown', sentence: event.sentence, workflows: [] };
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { takeLateOutcome } });

  await worker.runUntil(async () => {
    await expect(ended.tell('j1', EVENT)).rejects.toThrow();
    await ended.tell('j1', EVENT);
    await ended.tell('j1', EVENT);
  });

  expect(asked).toEqual([EVENT, EVENT]);
  const { type } = await environment.client.workflow.getHandle(lateOutcomeWorkflowId('j1')).describe();
  expect(type).toBe('intake');
});
