import { beforeAll, expect, test } from '@jest/globals';
import type { SweepPart, SweepParts, SweptPart } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';

const environment = environmentOfThisFile();
let script: Partial<SweepParts>;
let asked: string[];

const fakes: SweepParts = {
  logs: (...args) => ask('logs', args),
  deployments: (...args) => ask('deployments', args),
  rollouts: (...args) => ask('rollouts', args),
  days: (...args) => ask('days', args),
  begun: (...args) => ask('begun', args),
};

function ask(part: SweepPart, [at, after]: Parameters<SweepParts[SweepPart]>): Promise<SweptPart> {
  asked.push(`${part} after ${after ?? 'nothing'}`);
  return script[part]?.(at, after) ?? Promise.resolve({ removed: 1, failed: 0 });
}

beforeAll(async () => {
  await environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: { sweep: inParts(fakes) } });
});

function sweep(workflowId: string, more: Partial<SweepParts> = {}): Promise<unknown> {
  script = more;
  asked = [];
  return environment.client.workflow.execute(WORKFLOW.retention, { workflowId, taskQueue: CONTROL_QUEUE });
}

test('each kind is swept from where the call before stopped, until nothing is left, and the result says how much', async () => {
  const inTwo: SweepParts['logs'] = (_at, after) =>
    Promise.resolve({ removed: 2, failed: 1, ...(after === undefined && { next: 'logs/x' }) });

  const result = await sweep('all', { logs: inTwo });

  expect(asked).toEqual([
    ...['logs after nothing', 'logs after logs/x', 'deployments after nothing'],
    ...['rollouts after nothing', 'days after nothing', 'begun after nothing'],
  ]);
  const one = { removed: 1, failed: 0 };
  expect(result).toEqual({ logs: { removed: 4, failed: 2 }, deployments: one, rollouts: one, days: one, begun: one });
  await environment.record('all-swept', 'all');
});

test('a kind that fails holds up no other, and the run says so at its end', async () => {
  const broken = () => Promise.reject(ApplicationFailure.nonRetryable('storage is away', 'STORAGE_UNAVAILABLE'));

  await expect(sweep('broken', { logs: broken })).rejects.toThrow();

  expect(asked).toHaveLength(5);
  await environment.record('failed-sweep', 'broken');
});

test('a sweep that finds no end leaves the rest to the next one', async () => {
  const endless = () => Promise.resolve({ removed: 1, failed: 0, next: 'logs/x' });

  expect(await sweep('endless', { logs: endless })).toMatchObject({ logs: { removed: 200 } });
});
