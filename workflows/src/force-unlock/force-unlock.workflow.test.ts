import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  forceUnlockWorkflowId,
  orderBody,
  type ForceUnlockOrder,
  type ForceUnlockOutcome,
} from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, CONTROL_QUEUE, hostQueue, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';
import { aDeployment, claimOf } from '@nereid/domain/deployment-testing';

const FREED = { body: { version: 1, forceUnlockId: 'd1', order: 'by intake' }, signature: 'by the host' } as const;
const LOST = () => ApplicationFailure.nonRetryable('it was lost', 'FORGED');

const environment = environmentOfThisFile();
/** What the host does, at each attempt. */
let onHost: () => Promise<typeof FREED>;
let claims: number;
let answers: ForceUnlockOutcome[];
let answerFailures: number;

beforeAll(async () => {
  const claimHost = async () => {
    claims += 1;
    return Promise.resolve(claimOf('d1', 'h1'));
  };
  const answerForceUnlock = async (_order: Signed<ForceUnlockOrder>, outcome: ForceUnlockOutcome) => {
    if (answerFailures > 0) {
      answerFailures -= 1;
      throw new Error('GitHub is away');
    }
    answers.push(outcome);
    return Promise.resolve(`said ${outcome === 'unheard' ? outcome : 'freed'}`);
  };
  await Promise.all([
    environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: { answerForceUnlock } }),
    environment.runWorker({ taskQueue: claimQueue(DEFAULT_POOL), activities: { claimHost } }),
    environment.runWorker({ taskQueue: hostQueue('h1'), activities: { forceUnlockOnHost: () => onHost() } }),
  ]);
});

beforeEach(() => {
  onHost = () => Promise.resolve(FREED);
  claims = 0;
  answers = [];
  answerFailures = 0;
});

test('a host frees the lock, and the person gets the outcome as the host signed it', async () => {
  const workflowId = forceUnlockWorkflowId(randomUUID());

  expect(await execute(workflowId)).toBe('said freed');
  expect(answers).toEqual([FREED]);
  await environment.record('freed', workflowId);
});

test('an answer that GitHub does not take is tried again, and the lock is not freed again', async () => {
  answerFailures = 2;

  expect(await execute()).toBe('said freed');
  expect(claims).toBe(1);
});

describe('a host that fails', () => {
  test('is followed by another one', async () => {
    let attempts = 0;
    onHost = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the host is shutting down');
      return Promise.resolve(FREED);
    };
    const workflowId = forceUnlockWorkflowId(randomUUID());

    expect(await execute(workflowId)).toBe('said freed');
    expect(claims).toBe(2);
    await environment.record('tried-again', workflowId);
  });

  test('three times leaves the person with that', async () => {
    onHost = () => Promise.reject(new Error('the host is shutting down'));

    expect(await execute()).toBe('said unheard');
    expect(claims).toBe(3);
  });

  test('for good is followed by no other', async () => {
    onHost = () => Promise.reject(LOST());

    expect(await execute()).toBe('said unheard');
    expect(claims).toBe(1);
  });
});

test('what a newer worker sends fails for good, and says to upgrade the workers', async () => {
  await expect(execute(undefined, { version: 2 })).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_ORDER', nonRetryable: true, message: expect.stringContaining('found 2; upgrade') },
  });
});

function execute(workflowId = forceUnlockWorkflowId(randomUUID()), changes: object = {}): Promise<unknown> {
  const body = {
    ...orderBody({ owner: 'acme', name: 'infra', installationId: 1 }, aDeployment()),
    unlocking: { lockId: '1', commentId: 3, expiresAt: '2999-01-01T00:00:00Z' },
  } satisfies ForceUnlockOrder;
  const order = { body: { ...body, ...changes }, signature: 'by intake' };
  const options = { workflowId, taskQueue: CONTROL_QUEUE, args: [order] };
  return environment.client.workflow.execute(WORKFLOW.forceUnlock, options);
}
