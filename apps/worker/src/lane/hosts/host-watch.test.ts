import { expect, test } from '@jest/globals';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { HostRecord } from '@nereid/domain/host';
import { pino } from 'pino';
import { createHostWatch } from './host-watch.ts';

const logger = pino({ level: 'silent' });
const FULL = 'Waiting for a host: 4 of 4 slots in use on 1 host';

test('a wait is answered with the slots in use, however often it asks', async () => {
  const whyNoHost = createHostWatch({ records: { list: () => Promise.resolve([aHost()]) }, logger });

  expect(await whyNoHost(DEFAULT_POOL)).toBe(FULL);
  expect(await whyNoHost(DEFAULT_POOL)).toBe(FULL);
});

test('many who wait read storage once', async () => {
  let reads = 0;
  const list = () => Promise.resolve([aHost()]).finally(() => (reads += 1));
  const whyNoHost = createHostWatch({ records: { list }, logger });

  await Promise.all([1, 2, 3].map(() => whyNoHost(DEFAULT_POOL)));

  expect(reads).toBe(1);
});

test('while storage cannot be read, a wait is still called a wait for a host', async () => {
  let list: () => Promise<readonly HostRecord[]> = () => Promise.reject(new Error('storage is away'));
  const whyNoHost = createHostWatch({ records: { list: () => list() }, logger, seenForMs: 0 });

  expect(await whyNoHost(DEFAULT_POOL)).toBe('Waiting for a host');

  list = () => Promise.resolve([aHost()]);
  expect(await whyNoHost(DEFAULT_POOL)).toBe(FULL);
});

function aHost(): HostRecord {
  return { version: 1, hostId: 'h1', at: new Date().toISOString(), slots: { used: 4, total: 4 }, draining: false };
}
