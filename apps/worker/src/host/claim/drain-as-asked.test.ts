import { beforeEach, expect, test } from '@jest/globals';
import type { DrainRecord } from '@nereid/domain/host';
import { createDrainAsAsked } from './drain-as-asked.ts';
import { createSlots, type Slots } from '../slots/slots.ts';

let slots: Slots;
let read: () => Promise<DrainRecord | undefined>;
let logged: object[];
let drainAsAsked: () => Promise<void>;

beforeEach(() => {
  slots = createSlots(() => 1);
  logged = [];
  const log = (fields: object) => void logged.push(fields);
  const drains = { read: () => read() };
  drainAsAsked = createDrainAsAsked({ hostId: 'h1', drains, slots, logger: { info: log, warn: log } });
});

test('a host of which nobody asked anything takes work', async () => {
  await becomes(undefined);

  expect([slots.usage().draining, logged]).toEqual([false, []]);
});

test('a host drains as it is asked, and takes work again, and says each of them once', async () => {
  for (const action of ['drain', 'drain'] as const) await becomes(action);
  expect(slots.usage().draining).toBe(true);

  for (const action of ['resume', 'resume'] as const) await becomes(action);
  expect(slots.usage().draining).toBe(false);
  expect(logged).toHaveLength(2);
});

test('what was asked and cannot be read changes nothing, and is logged', async () => {
  await becomes('drain');
  read = () => Promise.reject(new Error('away'));
  await drainAsAsked();

  expect(slots.usage().draining).toBe(true);
  expect(logged.at(-1)).toMatchObject({ err: { message: 'away' }, host: 'h1' });
});

test('a request that is gone from storage is as good as Resume', async () => {
  await becomes('drain');
  await becomes(undefined);

  expect(slots.usage().draining).toBe(false);
});

async function becomes(action: DrainRecord['action'] | undefined): Promise<void> {
  const at = '2026-01-31T14:00:00.000Z';
  read = () => Promise.resolve(action && { version: 1, hostId: 'h1', action, requestId: 'r1', by: 'bob', at });
  await drainAsAsked();
}
