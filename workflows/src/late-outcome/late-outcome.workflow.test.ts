import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONTROL_QUEUE, lateOutcomeWorkflowId, WORKFLOW, type LateOutcome } from '@nereid/contracts';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { ApplicationFailure } from '@temporalio/common';

const OUTCOME: LateOutcome = {
  version: 1,
  repository: { owner: 'acme', name: 'infra', installationId: 1 },
  rootName: 'network',
  deploymentId: 'd1',
  sentence: 'Host h1 came back.',
};

let environment: WorkflowEnvironment;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

test('the outcome is shown once GitHub takes it, and the answer is the result', async () => {
  const asked: LateOutcome[] = [];
  const showLateOutcome = async (outcome: LateOutcome) => {
    asked.push(outcome);
    if (asked.length === 1) throw ApplicationFailure.retryable('GitHub is away', 'GITHUB_UNAVAILABLE');
    return 'shown';
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { showLateOutcome } });
  const workflowId = lateOutcomeWorkflowId('j1');

  const result: unknown = await worker.runUntil(
    environment.client.workflow.execute(WORKFLOW.lateOutcome, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [OUTCOME],
    }),
  );

  expect(result).toBe('shown');
  expect(asked).toEqual([OUTCOME, OUTCOME]);
  await environment.record('shown', workflowId);
});
