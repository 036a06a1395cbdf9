import { expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/storage';
import { pino } from 'pino';
import { keepHostRecord } from './host-record.ts';
import { createSlots } from './slots/slots.ts';

const logger = pino({ level: 'silent' });

function aStore(write: (record: HostRecord) => Promise<void> = () => Promise.resolve()) {
  const written: HostRecord[] = [];
  const removed: string[] = [];
  const records = {
    async write(record: HostRecord) {
      written.push(record);
      await write(record);
    },
    remove(hostId: string) {
      removed.push(hostId);
      return Promise.resolve();
    },
  };
  return { written, removed, records };
}

const someTime = () => new Promise((resolve) => setTimeout(resolve, 50));

test('a host says at once and then again what it has, until it says goodbye', async () => {
  const { written, removed, records } = aStore();
  const slots = createSlots(() => 4);
  const stop = keepHostRecord({ hostId: 'h1', slots, records, logger, everyMs: 5 });

  await slots.take('d1', 0);
  await someTime();
  await stop();
  const count = written.length;
  await someTime();

  expect(written[0]).toMatchObject({ hostId: 'h1', slots: { total: 4, used: 0 }, draining: false });
  expect(written.at(-1)).toMatchObject({ slots: { total: 4, used: 1 } });
  expect(removed).toEqual(['h1']);
  expect(written).toHaveLength(count);
});

test('a store that fails is asked again, one that hangs is asked once', async () => {
  const failing = aStore(() => Promise.reject(new Error('away')));
  const hanging = aStore(() => new Promise(() => undefined));
  const slots = createSlots(() => 4);

  const stop = keepHostRecord({ hostId: 'h1', slots, records: failing.records, logger, everyMs: 5 });
  keepHostRecord({ hostId: 'h2', slots, records: hanging.records, logger, everyMs: 5 });
  await someTime();
  await stop();

  expect(failing.written.length).toBeGreaterThan(1);
  expect(hanging.written).toHaveLength(1);
});
