import { expect, test } from '@jest/globals';
import { createDrainRecords, createHostRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { forgetDrains } from './forget-drains.ts';

const NOW_MS = Date.parse('2026-03-31T00:00:00.000Z');
const logger = pino({ level: 'silent' });

const store = storeOfEachTest();

test('what was asked of a host that is gone for a month is forgotten, and of no other', async () => {
  const [hostRecords, drainRecords] = [createHostRecords(store), createDrainRecords(store)];
  const ask = (hostId: string, daysAgo: number) => {
    const at = new Date(NOW_MS - daysAgo * 24 * 3_600_000).toISOString();
    return drainRecords.ask({ version: 1, hostId, action: 'drain', requestId: 'r1', by: 'bob', at });
  };
  await ask('gone', 31);
  await ask('stopped', 29);
  await ask('there', 31);
  const at = new Date(NOW_MS).toISOString();
  await hostRecords.write({ version: 1, hostId: 'there', at, slots: { total: 1, used: 0 }, draining: true });

  await forgetDrains({ hostRecords, drainRecords, logger }, NOW_MS);

  const left = await drainRecords.list(() => undefined);
  expect(left.map(({ hostId }) => hostId)).toEqual(['stopped', 'there']);
});
