import { expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/domain/host';
import { hostSummaryOf, inOrder } from './host-summary.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');

test.each<[string, Partial<HostRecord>, string]>([
  ['with a free slot is ready', {}, 'ready'],
  ['without one is full', { slots: { total: 4, used: 4 } }, 'full'],
  ['that takes no more work is draining, full or not', { draining: true, slots: { total: 4, used: 4 } }, 'draining'],
  ['that was silent for a minute is away, whatever it said before', { draining: true, at: ago(61) }, 'away'],
  ['that was silent for less is there', { at: ago(59) }, 'ready'],
])('a host %s', (_what, changes, state) => {
  expect(hostSummaryOf({ ...aRecord(), ...changes }, NOW_MS).state).toBe(state);
});

test('hosts that are away come first', () => {
  const hosts = [
    { ...aRecord(), hostId: 'b' },
    { ...aRecord(), hostId: 'c', at: ago(600) },
    { ...aRecord(), hostId: 'a' },
  ].map((record) => hostSummaryOf(record, NOW_MS));

  expect(inOrder(hosts).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

function ago(seconds: number): string {
  return new Date(NOW_MS - seconds * 1_000).toISOString();
}

function aRecord(): HostRecord {
  return { version: 1, hostId: 'h1', at: ago(5), slots: { total: 4, used: 1 }, draining: false };
}
