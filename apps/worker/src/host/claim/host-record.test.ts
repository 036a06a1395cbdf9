import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/domain/host';
import { pino } from 'pino';
import { keepHostRecord } from './host-record.ts';
import { createSlots } from '../slots/slots.ts';

const logger = pino({ level: 'silent' });

function aStore(write: (record: HostRecord) => Promise<void> = () => Promise.resolve()) {
  const written: HostRecord[] = [];
  const removed: string[] = [];
  const known: HostRecord[] = [];
  const records = {
    async write(record: HostRecord) {
      written.push(record);
      await write(record);
    },
    list: () => Promise.resolve(known),
    remove(hostId: string) {
      removed.push(hostId);
      return Promise.resolve();
    },
  };
  return { written, removed, known, records };
}

const H1 = { hostId: 'h1', pool: 'default', dataDir: tmpdir(), drainAsAsked: () => Promise.resolve() };

const someTime = () => new Promise((resolve) => setTimeout(resolve, 50));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await someTime();
}

test('a host says at once and then again what it has, until it says goodbye', async () => {
  const { written, removed, records } = aStore();
  const slots = createSlots(() => 4);
  const stop = keepHostRecord({ ...H1, slots, release: '1.2.3', records, logger, everyMs: 5 });

  await until(() => written.length > 0);
  slots.claim('d1');
  await until(() => written.at(-1)?.slots.used === 1);
  await stop();
  const count = written.length;
  await someTime();

  const nothing = { slots: { total: 4, used: 0 }, runs: [] };
  expect(written[0]).toMatchObject({ hostId: 'h1', ...nothing, draining: false, release: '1.2.3' });
  expect(written.at(-1)).toMatchObject({ runs: ['d1'], disk: { freeBytes: expect.any(Number) } });
  expect(removed).toEqual(['h1']);
  expect(written).toHaveLength(count);
});

test('a host that begins to drain says so at once', async () => {
  const { written, records } = aStore();
  const slots = createSlots(() => 4);
  const stop = keepHostRecord({ ...H1, slots, release: '1.2.3', records, logger, everyMs: 3_600_000 });
  await until(() => written.length > 0);
  await someTime();

  slots.drain();

  await until(() => written.length > 1);
  expect(written.map(({ draining }) => draining)).toEqual([false, true]);
  await stop();
});

test('before a host says what it has, it does what was asked of it', async () => {
  const { written, records } = aStore();
  const slots = createSlots(() => 4);
  const drainAsAsked = () => {
    slots.drain('asked');
    return Promise.resolve();
  };

  await keepHostRecord({ ...H1, slots, drainAsAsked, release: '1.2.3', records, logger })();

  expect(written).toMatchObject([{ hostId: 'h1', draining: true }]);
});

test('a store that fails is asked again, one that hangs is asked once', async () => {
  const failing = aStore(() => Promise.reject(new Error('away')));
  const hanging = aStore(() => new Promise(() => undefined));
  const slots = createSlots(() => 4);

  const stop = keepHostRecord({ ...H1, slots, release: '1.2.3', records: failing.records, logger, everyMs: 5 });
  keepHostRecord({ ...H1, hostId: 'h2', slots, release: '1.2.3', records: hanging.records, logger, everyMs: 5 });
  await until(() => failing.written.length > 3);
  await stop();

  expect(hanging.written).toHaveLength(1);
});

test('a host removes the records of those that were killed long ago, and of no other', async () => {
  const { known, removed, records } = aStore();
  const aRecord = (hostId: string, silentMs: number): HostRecord => {
    const at = new Date(Date.now() - silentMs).toISOString();
    return { version: 1, hostId, at, slots: { total: 4, used: 0 }, draining: false };
  };
  known.push(aRecord('gone', 25 * 3_600_000), aRecord('away', 3_600_000));

  await keepHostRecord({ ...H1, slots: createSlots(() => 4), release: '1.2.3', records, logger })();

  expect(removed).toEqual(['gone', 'h1']);
});
