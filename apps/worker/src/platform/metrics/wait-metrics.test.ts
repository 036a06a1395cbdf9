import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureWaits, type FoundWaits, type Waiting } from './wait-metrics.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
  jest.useRealTimers();
});

function aWait(changes: Partial<Waiting> = {}): Waiting {
  return { repository: 'acme/infra', reason: 'review', since: 0, ...changes };
}

function measured(found: Partial<FoundWaits>): (name: string) => Promise<readonly string[]> {
  const registry = new Registry();
  measureWaits(registry)({ waiting: [], lanes: {}, deployments: {}, ...found });
  return async (name) => (await registry.metrics()).split('\n').filter((line) => line.startsWith(`nereid_${name}{`));
}

test('deployments that wait are counted by reason, and the age of the oldest grows until the next look', async () => {
  const read = measured({ waiting: [aWait(), aWait({ since: -60_000 }), aWait({ reason: 'host', since: -5_000 })] });

  jest.setSystemTime(30_000);

  expect(await read('waiting_deployments')).toContain('nereid_waiting_deployments{reason="review"} 2');
  expect(await read('waiting_oldest_seconds')).toEqual(
    expect.arrayContaining([
      'nereid_waiting_oldest_seconds{reason="review"} 90',
      'nereid_waiting_oldest_seconds{reason="host"} 35',
      'nereid_waiting_oldest_seconds{reason="turn"} 0',
    ]),
  );
});

test('the repositories with the longest queues have a series each, and all others one together', async () => {
  const waiting = Array.from({ length: 30 }, (_none, index) =>
    Array.from({ length: 30 - index }, () => aWait({ repository: `acme/r${index}` })),
  ).flat();

  const lines = await measured({ waiting })('queue_deployments');

  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe('nereid_queue_deployments{repository="acme/r0"} 30');
  expect(lines.at(-1)).toBe('nereid_queue_deployments{repository="other"} 55');
});

test('lanes and deployments at work are counted by state and status', async () => {
  const read = measured({ lanes: { running: 2, locked: 1 }, deployments: { planning: 3 } });

  expect(await read('lanes')).toEqual(['nereid_lanes{state="running"} 2', 'nereid_lanes{state="locked"} 1']);
  expect(await read('deployments_under_way')).toEqual(['nereid_deployments_under_way{status="planning"} 3']);
});

test('what a worker found is forgotten once others look', async () => {
  const read = measured({ waiting: [aWait()], lanes: { running: 1 } });

  jest.setSystemTime(4 * 60_000);

  expect([await read('waiting_deployments'), await read('queue_deployments'), await read('lanes')]).toEqual([
    [],
    [],
    [],
  ]);
});
