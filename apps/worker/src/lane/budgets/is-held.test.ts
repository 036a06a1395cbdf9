import { expect, test } from '@jest/globals';
import { BrokenRecordError } from '@nereid/storage';
import type { TurnRecords } from '../turn/end-of-turn.ts';
import { isHeld } from './is-held.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const DAY_MS = 86_400_000;

const LEASE = {
  ...{ deploymentId: 'd1', repository: { owner: 'acme', name: 'app' }, rootName: 'db', pool: 'default' },
  until: new Date(NOW).toISOString(),
};

const readFails = (error: Error) =>
  ({ begunApplies: { of: () => ({ read: () => Promise.reject(error) }) } }) as unknown as TurnRecords; // What is asked first.

test('a lease whose records cannot be read is held until its apply is over, however it ended', async () => {
  const broken = readFails(new BrokenRecordError('begun/default/d1', 'it is no JSON'));

  expect(await isHeld(broken, LEASE, NOW + 3_600_000)).toBe(true);
  expect(await isHeld(broken, LEASE, NOW + 7 * DAY_MS)).toBe(false);
});

test('nobody knows of a lease while storage is away', async () => {
  await expect(isHeld(readFails(new Error('storage is away')), LEASE, NOW)).rejects.toThrow('storage is away');
});
