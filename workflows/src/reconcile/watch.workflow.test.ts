import { beforeAll, expect, test } from '@jest/globals';
import type { StuckWorkflow, WatchParts } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { CONTROL_QUEUE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');

const STUCK: StuckWorkflow = {
  workflowId: 'acme/infra||network',
  runId: 'run-1',
  type: 'deploy',
  reason: 'its task fails',
  isShown: true,
};

const environment = environmentOfThisFile();
let script: Partial<WatchParts>;
let asked: unknown[];

const fakes: WatchParts = {
  lastWatch: () => script.lastWatch?.() ?? Promise.resolve(null),
  reportStuck: (before) => ask(['stuck', before], script.reportStuck?.(before), { count: 0, workflows: [] }),
  resumeLanes: () => ask('lanes', script.resumeLanes?.(), ['resumed a lane']),
  reportClosed: (after) => ask(['closed', after], script.reportClosed?.(after), { found: ['told a lane'] }),
};

function ask<T>(what: unknown, answer: Promise<T> | undefined, otherwise: T): Promise<T> {
  asked.push(what);
  return answer ?? Promise.resolve(otherwise);
}

beforeAll(async () => {
  await environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: { watch: inParts(fakes) } });
});

function watch(workflowId: string, more: Partial<WatchParts> = {}): Promise<unknown> {
  script = more;
  asked = [];
  return environment.client.workflow.execute(WORKFLOW.watch, { workflowId, taskQueue: CONTROL_QUEUE });
}

async function stateOf(workflowId: string): Promise<string | undefined> {
  return (await environment.client.workflow.getHandle(workflowId).describe()).typedSearchAttributes.get(STATE);
}

test('stuck workflows, lost lanes and closed deployments are looked after, and what was found is told', async () => {
  const result = await watch('all');

  expect(asked).toEqual([['stuck', []], 'lanes', ['closed', undefined]]);
  expect(result).toMatchObject({ stuck: { count: 0 }, found: ['resumed a lane', 'told a lane'], failed: [] });
  expect(await stateOf('all')).toBe('ok');
  await environment.record('all-well', 'all');
});

test('a run that found a stuck workflow is found by it in lists', async () => {
  const stuck = { count: 1, workflows: [STUCK] };

  const result = await watch('stuck', { reportStuck: () => Promise.resolve(stuck) });

  expect(result).toMatchObject({ stuck });
  expect(await stateOf('stuck')).toBe('stuck');
  await environment.record('stuck', 'stuck');
});

test('a part that fails holds up no other, and the run says so', async () => {
  const away = () => Promise.reject(ApplicationFailure.nonRetryable('storage is away', 'STORAGE_UNAVAILABLE'));

  const result = await watch('failing', { reportStuck: away, resumeLanes: away });

  expect(asked).toEqual([['stuck', []], 'lanes', ['closed', undefined]]);
  expect(result).toMatchObject({ failed: ['reportStuck: storage is away', 'resumeLanes: storage is away'] });
  expect(await stateOf('failing')).toBe('failing');
  await environment.record('failing', 'failing');
});

test('the next run knows what the last one found, and looks after lanes only every few minutes', async () => {
  const stuck = { count: 1, workflows: [STUCK] };
  const last = { stuck, found: ['resumed a lane'], failed: [], closedAfter: 'then' };
  const lastWatch = (minutesAgo: number) => () =>
    Promise.resolve({ ...last, lanesAt: new Date(Date.now() - minutesAgo * 60_000).toISOString() });

  const soon = await watch('soon', { lastWatch: lastWatch(1) });
  expect(asked).toEqual([['stuck', [STUCK]]]);
  expect(soon).toMatchObject({ found: [], closedAfter: 'then' });

  const later = await watch('later', { lastWatch: lastWatch(5) });
  expect(asked).toEqual([['stuck', [STUCK]], 'lanes', ['closed', 'then']]);
  expect(later).not.toHaveProperty('closedAfter');
});
