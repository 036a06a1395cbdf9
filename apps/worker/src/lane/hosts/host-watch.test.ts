import { expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/storage';
import { pino } from 'pino';
import { createHostWatch } from './host-watch.ts';

const logger = pino({ level: 'silent' });
const FULL = 'Waiting for a host: 4 of 4 slots in use on 1 host';

test('what is not shown yet is answered, what is shown already is asked again', async () => {
  const whyNoHost = createHostWatch({ records: { list: () => Promise.resolve([aHost()]) }, logger });

  expect(await whyNoHost(null)).toBe(FULL);
  expect(await whyNoHost('Waiting for a host: no host is running: start a worker')).toBe(FULL);
  await expect(whyNoHost(FULL)).rejects.toMatchObject({ type: 'UNCHANGED', nonRetryable: false, category: 'BENIGN' });
});

test('many who wait read storage once', async () => {
  let reads = 0;
  const list = () => Promise.resolve([aHost()]).finally(() => (reads += 1));
  const whyNoHost = createHostWatch({ records: { list }, logger });

  await Promise.all([whyNoHost(null), whyNoHost(null), whyNoHost(null)]);

  expect(reads).toBe(1);
});

test('storage that cannot be read leaves what is shown, and is asked again', async () => {
  const failure = new Error('storage is away');
  let list: () => Promise<readonly HostRecord[]> = () => Promise.reject(failure);
  const whyNoHost = createHostWatch({ records: { list: () => list() }, logger, seenForMs: 0 });

  expect(await whyNoHost(null)).toBe('Waiting for a host');
  await expect(whyNoHost('Waiting for a host')).rejects.toBe(failure);

  list = () => Promise.resolve([aHost()]);
  expect(await whyNoHost('Waiting for a host')).toBe(FULL);
});

function aHost(): HostRecord {
  return { version: 1, hostId: 'h1', at: new Date().toISOString(), slots: { used: 4, total: 4 }, draining: false };
}
