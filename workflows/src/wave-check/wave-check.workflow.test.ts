import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { orderBody, waveCheckWorkflowId, type WaveCheckOrder } from '@nereid/domain/deployment';
import { aDeployment, claimOf } from '@nereid/domain/deployment-testing';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, CONTROL_QUEUE, hostQueue, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';

const PASSED = { body: { version: 1, waveCheckId: 'd1', order: 'by control' }, signature: 'by the host' } as const;

const environment = environmentOfThisFile();
/** What the host does, at each attempt. */
let onHost: () => Promise<typeof PASSED>;
let claims: number;
let claimed: () => Promise<ReturnType<typeof claimOf>>;

beforeAll(async () => {
  const claimHost = async () => {
    claims += 1;
    return claimed();
  };
  await Promise.all([
    environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: {} }),
    environment.runWorker({ taskQueue: claimQueue(DEFAULT_POOL), activities: { claimHost } }),
    environment.runWorker({ taskQueue: hostQueue('h1'), activities: { checkOnHost: () => onHost() } }),
  ]);
});

beforeEach(() => {
  onHost = () => Promise.resolve(PASSED);
  claims = 0;
  claimed = () => Promise.resolve(claimOf('d1', 'h1'));
});

test('a host runs the check, and the result has what was ordered beside what the host signed', async () => {
  const workflowId = waveCheckWorkflowId(randomUUID());
  const order = anOrder();

  expect(await execute(order, workflowId)).toEqual({ order, outcome: PASSED });
  await environment.record('passed', workflowId);
});

test('a host that is lost is followed by another one, three times in all', async () => {
  onHost = () => Promise.reject(new Error('the host is shutting down'));
  const workflowId = waveCheckWorkflowId(randomUUID());

  expect(await execute(anOrder(), workflowId)).toMatchObject({ outcome: 'unheard' });
  expect(claims).toBe(3);
  await environment.record('unheard', workflowId);
});

test('a host is asked after all deployments, which the checks of many merges would hold up', async () => {
  const workflowId = waveCheckWorkflowId(randomUUID());
  await execute(anOrder(), workflowId);

  const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
  const [claim] = events?.flatMap(({ activityTaskScheduledEventAttributes: its }) => its ?? []) ?? [];
  expect(claim).toMatchObject({
    activityType: { name: 'claimHost' },
    priority: { priorityKey: 4, fairnessKey: 'acme/infra' },
  });
});

test('when no host has had a slot in time, the result says so, and no host was asked', async () => {
  claimed = () => Promise.reject(ApplicationFailure.nonRetryable('the time is over'));
  const workflowId = waveCheckWorkflowId(randomUUID());

  expect(await execute(anOrder(), workflowId)).toMatchObject({ outcome: 'no slot' });
  expect(claims).toBe(1);
  await environment.record('no-slot', workflowId);
});

test('what a newer worker sends fails for good, and says to upgrade the workers', async () => {
  await expect(execute(anOrder({ version: 2 }))).rejects.toMatchObject({
    cause: { type: 'UNKNOWN_ORDER', nonRetryable: true, message: expect.stringContaining('found 2; upgrade') },
  });
});

function anOrder(changes: object = {}): Signed<WaveCheckOrder> {
  const about = { rollout: 'sha/delivery', wave: 1, check: 'smoke', run: 'true', timeoutMs: 1_000 };
  const body = {
    ...orderBody({ owner: 'acme', name: 'infra', installationId: 1 }, aDeployment()),
    checking: { ...about, askedAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' },
  } satisfies WaveCheckOrder;
  return { body: { ...body, ...changes }, signature: 'by control' };
}

function execute(order: Signed<WaveCheckOrder>, workflowId = waveCheckWorkflowId(randomUUID())): Promise<unknown> {
  return environment.client.workflow.execute(WORKFLOW.waveCheck, {
    workflowId,
    taskQueue: CONTROL_QUEUE,
    args: [order],
  });
}
