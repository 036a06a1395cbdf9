import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONTROL_QUEUE, identityTokenWorkflowId, WORKFLOW, type IdentityTokenRequest } from '@nereid/contracts';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { ApplicationFailure } from '@temporalio/common';
import { aDeployment } from '../terraform/fixtures/a-deployment.ts';

const REQUEST: IdentityTokenRequest = {
  version: 1,
  repository: { owner: 'acme', name: 'infra', installationId: 1 },
  ordered: aDeployment(),
  order: 'a..b',
};
const SEALED = { sealed: 'a..b.c.d', signature: 'a..b' };

let environment: WorkflowEnvironment;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

test('what control sealed is the answer, once control can say it', async () => {
  const asked: IdentityTokenRequest[] = [];
  const sealIdentityToken = async (request: IdentityTokenRequest) => {
    asked.push(request);
    if (asked.length === 1) throw ApplicationFailure.retryable('storage is away', 'STORAGE_UNAVAILABLE');
    return SEALED;
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { sealIdentityToken } });
  const workflowId = identityTokenWorkflowId('d1', 'n1');

  const result = await worker.runUntil(execute(workflowId, REQUEST));

  expect(result).toEqual(SEALED);
  expect(asked).toEqual([REQUEST, REQUEST]);
  await environment.record('sealed', workflowId);
});

test('a forged order is refused for good', async () => {
  const sealIdentityToken = async () => {
    throw ApplicationFailure.nonRetryable('expected the order to be signed', 'FORGED');
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { sealIdentityToken } });

  const failed = worker.runUntil(execute(identityTokenWorkflowId('d1', 'n2'), REQUEST));

  await expect(failed).rejects.toMatchObject({ cause: { cause: { type: 'FORGED' } } });
});

test('what a newer host sends fails for good, and says to upgrade the workers', async () => {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: {} });

  const failed = worker.runUntil(execute(identityTokenWorkflowId('d1', 'n3'), { ...REQUEST, version: 2 }));

  await expect(failed).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_IDENTITY_TOKEN', nonRetryable: true, message: expect.stringContaining('found 2; upgrade') },
  });
});

function execute(workflowId: string, request: object): Promise<unknown> {
  const options = { workflowId, taskQueue: CONTROL_QUEUE, args: [request] };
  return environment.client.workflow.execute(WORKFLOW.identityToken, options);
}
