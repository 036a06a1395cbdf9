import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureIntake, type Taken } from './intake-metrics.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
  jest.useRealTimers();
});

async function linesAfter(taken: Partial<Taken>, name: string): Promise<readonly string[]> {
  const registry = new Registry();
  const onIntake = measureIntake(registry);
  onIntake({ event: 'push', outcome: 'signalled', receivedAt: new Date(NOW - 2_000).toISOString(), ...taken });
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('attempts to take an event are counted by event and outcome, zero before the first', async () => {
  const lines = await linesAfter({ outcome: 'failed' }, 'nereid_intakes_total');

  expect(lines).toContain('nereid_intakes_total{event="push",outcome="failed"} 1');
  expect(lines).toContain('nereid_intakes_total{event="button",outcome="failed"} 0');
});

test('the time from the arrival of an event to its signals is kept', async () => {
  expect(await linesAfter({}, 'nereid_intake_to_signal_seconds_sum')).toEqual([
    'nereid_intake_to_signal_seconds_sum{event="push"} 2',
  ]);
});

test.each([
  ['an event that signalled nothing has no such time', { outcome: 'nothing' }, []],
  [
    'a gateway whose clock is ahead counts as no time',
    { receivedAt: new Date(NOW + 5_000).toISOString() },
    ['nereid_intake_to_signal_seconds_sum{event="push"} 0'],
  ],
  ['a time that is none is left out', { receivedAt: 'soon' }, []],
] as const)('%s', async (_what, taken, lines) => {
  expect(await linesAfter(taken, 'nereid_intake_to_signal_seconds_sum')).toEqual(lines);
});
