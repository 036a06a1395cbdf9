import { beforeAll, expect, test } from '@jest/globals';
import type { BranchToReconcile, ReconcileParts } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';

const BRANCHES: readonly BranchToReconcile[] = Array.from({ length: 45 }, (_, index) => ({
  repository: { owner: 'acme', name: `infra-${index}`, installationId: 1 },
  branch: 'main',
}));

const environment = environmentOfThisFile();
let script: Partial<ReconcileParts>;
let asked: string[];

const fakes: ReconcileParts = {
  listRepositories: () => ask('list', () => Promise.resolve(BRANCHES)),
  reconcileRepositories: (branches) =>
    ask(`reconcile ${branches.length}`, () => script.reconcileRepositories?.(branches) ?? Promise.resolve([])),
  redeliverWebhooks: () => ask('redeliver', () => Promise.resolve(['sent a webhook'])),
};

function ask<T>(what: string, answer: () => Promise<T>): Promise<T> {
  asked.push(what);
  return answer();
}

beforeAll(async () => {
  await environment.runWorker({
    taskQueue: CONTROL_QUEUE,
    activities: { reconcile: inParts(fakes) },
  });
});

function reconcile(workflowId: string, more: Partial<ReconcileParts> = {}): Promise<unknown> {
  script = more;
  asked = [];
  return environment.client.workflow.execute(WORKFLOW.reconcile, { workflowId, taskQueue: CONTROL_QUEUE });
}

test('every repository, in batches, and webhooks are looked after, and what was found is told', async () => {
  const result = await reconcile('all');

  expect(asked).toEqual(['list', 'reconcile 20', 'reconcile 20', 'reconcile 5', 'redeliver']);
  expect(result).toEqual({ repositories: 45, found: ['sent a webhook'] });
  await environment.record('all-done', 'all');
});

test('a part that fails holds up no other, and the run says so at its end', async () => {
  const broken = () => Promise.reject(ApplicationFailure.nonRetryable('storage is away', 'STORAGE_UNAVAILABLE'));

  await expect(reconcile('broken', { reconcileRepositories: broken })).rejects.toThrow();

  expect(asked).toEqual(['list', 'reconcile 20', 'reconcile 20', 'reconcile 5', 'redeliver']);
  await environment.record('failed', 'broken');
});

test('what a person reads of a run is limited', async () => {
  const many = () => Promise.resolve(Array.from({ length: 90 }, (_, index) => `brought ${index}`));

  const result = await reconcile('many', { reconcileRepositories: many });

  expect(result).toMatchObject({ found: { length: 100 } });
});
