import { expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/domain/host';
import { whyNoHost } from './why-no-host.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');

test('the slots of all hosts are counted together', () => {
  expect(whyNoHost([aHost(), aHost()], NOW)).toBe('Waiting for a host: 4 of 4 slots in use on 2 hosts');
  expect(whyNoHost([aHost({ slots: { used: 1, total: 2 } })], NOW)).toBe(
    'Waiting for a host: 1 of 2 slots in use on 1 host',
  );
});

test('a host that drains is named, and its slots are not counted', () => {
  expect(whyNoHost([aHost(), aHost({ draining: true })], NOW)).toBe(
    'Waiting for a host: 2 of 2 slots in use on 1 host (1 host draining)',
  );
});

test.each([
  { silentMs: 59_999, sentence: 'Waiting for a host: 2 of 2 slots in use on 1 host' },
  { silentMs: 60_000, sentence: 'Waiting for a host: no host is running: start a worker' },
])('a host that was last heard of $silentMs ms ago counts, or does not: $sentence', ({ silentMs, sentence }) => {
  expect(whyNoHost([aHost({ at: new Date(NOW - silentMs).toISOString() })], NOW)).toBe(sentence);
});

test('where no host runs it says what to do', () => {
  expect(whyNoHost([], NOW)).toBe('Waiting for a host: no host is running: start a worker');
  expect(whyNoHost([aHost({ draining: true }), aHost({ draining: true })], NOW)).toBe(
    'Waiting for a host: 2 hosts draining, and no other is running: start a worker',
  );
});

test('hosts of other pools do not count, and the pool that is waited for is named', () => {
  const hosts = [aHost({ pool: 'dev' }), aHost()];

  expect(whyNoHost(hosts, NOW, 'prod')).toBe(
    'Waiting for a host of the pool prod: no host is running: start a worker with POOL=prod',
  );
  expect(whyNoHost([...hosts, aHost({ pool: 'prod' })], NOW, 'prod')).toBe(
    'Waiting for a host of the pool prod: 2 of 2 slots in use on 1 host',
  );
  expect(whyNoHost([aHost({ pool: 'dev' })], NOW)).toBe('Waiting for a host: no host is running: start a worker');
});

function aHost(more: Partial<HostRecord> = {}): HostRecord {
  const at = new Date(NOW).toISOString();
  return { version: 1, hostId: 'h1', at, slots: { used: 2, total: 2 }, draining: false, ...more };
}
