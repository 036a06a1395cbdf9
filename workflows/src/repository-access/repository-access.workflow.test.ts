import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessWorkflowId, CONTROL_QUEUE, WORKFLOW, type AccessRequest } from '@nereid/contracts';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { ApplicationFailure } from '@temporalio/common';

const REQUEST: AccessRequest = {
  version: 1,
  login: 'ada',
  repositories: [{ owner: 'acme', name: 'infra' }],
  nonce: 'n1',
};
const ANSWER = { mayRead: [true], at: '2026-11-22T12:00:00.000Z', signature: 'a..b' };

let environment: WorkflowEnvironment;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

test('what control signed is the answer, once GitHub can be asked', async () => {
  const asked: AccessRequest[] = [];
  const askAccess = async (request: AccessRequest) => {
    asked.push(request);
    if (asked.length === 1) throw ApplicationFailure.retryable('GitHub is away', 'GITHUB_UNAVAILABLE');
    return ANSWER;
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { askAccess } });
  const workflowId = accessWorkflowId('n1');

  const result = await worker.runUntil(execute(workflowId, REQUEST));

  expect(result).toEqual(ANSWER);
  expect(asked).toEqual([REQUEST, REQUEST]);
  await environment.record('answered', workflowId);
});

test('what a newer console sends fails for good, and says to upgrade the workers', async () => {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: {} });

  const failed = worker.runUntil(execute(accessWorkflowId('n2'), { ...REQUEST, version: 2 }));

  await expect(failed).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_ACCESS', nonRetryable: true, message: expect.stringContaining('found 2; upgrade') },
  });
});

function execute(workflowId: string, request: object): Promise<unknown> {
  const options = { workflowId, taskQueue: CONTROL_QUEUE, args: [request] };
  return environment.client.workflow.execute(WORKFLOW.repositoryAccess, options);
}
