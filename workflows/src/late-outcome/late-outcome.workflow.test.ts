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

  const result = await worker.runUntil(execute(workflowId, OUTCOME));

  expect(result).toBe('shown');
  expect(asked).toEqual([OUTCOME, OUTCOME]);
  await environment.record('shown', workflowId);
});

test('what a newer host sends fails for good, and says to upgrade the workers', async () => {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: {} });

  const failed = worker.runUntil(execute(lateOutcomeWorkflowId('j2'), { ...OUTCOME, version: 2 }));

  await expect(failed).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_LATE_OUTCOME', nonRetryable: true, message: expect.stringContaining('found 2; upgrade') },
  });
});

function execute(workflowId: string, outcome: object): Promise<unknown> {
  const options = { workflowId, taskQueue: CONTROL_QUEUE, args: [outcome] };
  return environment.client.workflow.execute(WORKFLOW.lateOutcome, options);
}
