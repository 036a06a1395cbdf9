import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Question } from '@nereid/domain/activities';
import { orderOf } from '@nereid/domain/deployment';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';
import { aDeployment } from '@nereid/domain/deployment-testing';

const repository = { owner: 'acme', name: 'infra', installationId: 1 };
const TOKEN_REQUEST = { version: 1, order: orderOf(repository, aDeployment()) } as const;

const QUESTIONS: readonly Question[] = [
  { kind: 'sealReadToken', about: TOKEN_REQUEST },
  { kind: 'sealIdentityToken', about: TOKEN_REQUEST },
  { kind: 'askAccess', about: { version: 1, login: 'ada', repositories: [repository], nonce: 'n1' } },
  {
    kind: 'showLateOutcome',
    about: {
      body: { version: 1, repository, rootName: 'network', deploymentId: 'd1', sentence: 'Host h1 came back.' },
      signature: 'of the host',
    },
  },
  {
    kind: 'prepareRevert',
    about: { version: 1, repository: { owner: 'acme', name: 'infra' }, rootName: 'network', deploymentId: 'd1' },
  },
];

const environment = environmentOfThisFile();

test.each(QUESTIONS)('$kind is answered, once control can answer', async (question) => {
  const asked: unknown[] = [];
  const answer = async (...question: readonly unknown[]) => {
    asked.push(question);
    if (asked.length === 1) throw ApplicationFailure.retryable('GitHub is away', 'FORGE_UNAVAILABLE');
    return 'the answer';
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { answer } });
  const workflowId = randomUUID();

  const result = await worker.runUntil(execute(workflowId, question));

  expect(result).toBe('the answer');
  const { kind, about } = question;
  expect(asked).toEqual([
    [kind, about],
    [kind, about],
  ]);
  await environment.record(question.kind, workflowId);
});

test('a question that control refuses for good is not asked again', async () => {
  const answer = async () => {
    throw ApplicationFailure.nonRetryable('expected the order to be signed', 'FORGED');
  };
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { answer } });

  const failed = worker.runUntil(execute(randomUUID(), { kind: 'sealReadToken', about: TOKEN_REQUEST }));

  await expect(failed).rejects.toMatchObject({ cause: { cause: { type: 'FORGED' } } });
});

test.each([
  ['of a newer version', { kind: 'askAccess', about: { version: 2 } }, 'found askAccess of version 2; upgrade'],
  ['of an unknown kind', { kind: 'constructor', about: { version: 1 } }, 'found constructor of version 1; upgrade'],
])('a question %s fails for good, and says to upgrade the workers', async (_which, question, found) => {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: {} });

  const failed = worker.runUntil(execute(randomUUID(), question));

  await expect(failed).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_QUESTION', nonRetryable: true, message: expect.stringContaining(found) },
  });
});

function execute(workflowId: string, question: object): Promise<unknown> {
  const options = { workflowId, taskQueue: CONTROL_QUEUE, args: [question] };
  return environment.client.workflow.execute(WORKFLOW.ask, options);
}
