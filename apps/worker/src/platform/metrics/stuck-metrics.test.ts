import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureStuck } from './stuck-metrics.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
  jest.useRealTimers();
});

async function linesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('nereid_workflows_stuck'));
}

test('stuck workflows are counted by type, zero where none is', async () => {
  const registry = new Registry();
  measureStuck(registry)({ deploy: 2, terraform: 0 });

  expect(await linesOf(registry)).toEqual([
    'nereid_workflows_stuck{type="deploy"} 2',
    'nereid_workflows_stuck{type="terraform"} 0',
  ]);
});

test('what a worker found is forgotten once others look', async () => {
  const registry = new Registry();
  measureStuck(registry)({ deploy: 2 });

  jest.setSystemTime(4 * 60_000);

  expect(await linesOf(registry)).toEqual([]);
});
