import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import type { HostRecord } from '@nereid/domain/host';
import { BrokenRecordError } from '@nereid/storage';
import { isHeld, type HeldRecords } from './is-held.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const DAY_MS = 86_400_000;

const LEASE = {
  ...{ deploymentId: 'd1', repository: { owner: 'acme', name: 'app' }, rootName: 'db', pool: 'default' },
  until: new Date(NOW).toISOString(),
};

const readFails = (error: Error) =>
  ({ begunApplies: { of: () => ({ read: () => Promise.reject(error) }) } }) as unknown as HeldRecords; // What is asked first.

test('a lease whose records cannot be read is held until its apply is over, however it ended', async () => {
  const broken = readFails(new BrokenRecordError('begun/default/d1', 'it is no JSON'));

  expect(await isHeld(broken, 'apply', LEASE, NOW + 3_600_000)).toBe(true);
  expect(await isHeld(broken, 'apply', LEASE, NOW + 7 * DAY_MS)).toBe(false);
});

test('nobody knows of a lease while storage is away', async () => {
  await expect(isHeld(readFails(new Error('storage is away')), 'apply', LEASE, NOW)).rejects.toThrow('storage is away');
});

describe('the lease of an apply that has begun and has no outcome', () => {
  const recordsOf = (status: DeploymentStatus) =>
    ({
      begunApplies: { of: () => ({ read: () => Promise.resolve({ at: LEASE.until }) }) },
      deploymentRecords: { find: () => Promise.resolve({ deployment: { progress: { status } } }) },
      laneTurns: { read: () => Promise.resolve(undefined) },
    }) as unknown as HeldRecords; // What is asked.

  test.each<[DeploymentStatus, boolean]>([
    ['apply-failed', false],
    ['apply-outcome-unknown', true],
    // Stored while its host prepared the apply, by whoever reaches Temporal.
    ['cancelled', true],
  ])('whose record says %s is held: %s', async (status, expected) => {
    expect(await isHeld(recordsOf(status), 'apply', LEASE, NOW + 3_600_000)).toBe(expected);
  });
});

const plansWith = (find: () => Promise<object | undefined>, hosts: readonly HostRecord[] = []) =>
  ({ hostRecords: { list: () => Promise.resolve(hosts) }, deploymentRecords: { find } }) as unknown as HeldRecords; // What is asked.

describe('the lease of a plan that has not lapsed', () => {
  test.each<[string, () => Promise<object | undefined>, boolean]>([
    ['is needed while its deployment goes on', () => Promise.resolve(undefined), true],
    ['is free once storage has the end of its deployment', () => Promise.resolve({}), false],
    [
      'is needed while nobody can read that record',
      () => Promise.reject(new BrokenRecordError('deployments/d1', 'it is no JSON')),
      true,
    ],
  ])('%s', async (_what, find, expected) => {
    expect(await isHeld(plansWith(find), 'plan', LEASE, NOW - 60_000)).toBe(expected);
  });
});

describe('the lease of a plan that has lapsed', () => {
  const hostsOf = (host: Partial<HostRecord>) => {
    const at = new Date(NOW + 1_000).toISOString();
    const slots = { total: 1, used: 1 };
    const record = { version: 1, hostId: 'h1', at, slots, runs: ['d1'], draining: false, ...host } as const;
    return plansWith(() => Promise.resolve(undefined), [record]);
  };

  test.each<[string, Partial<HostRecord>, boolean]>([
    ['is needed while a host is at work on it', {}, true],
    ['is free when no host is', { runs: ['d2'] }, false],
    ['is free when its host is not heard of', { at: new Date(NOW - 3_600_000).toISOString() }, false],
    ['is free when a host of another pool says so', { pool: 'dmz' }, false],
  ])('%s', async (_what, host, expected) => {
    expect(await isHeld(hostsOf(host), 'plan', LEASE, NOW + 2_000)).toBe(expected);
  });

  test('is free in the end, whatever a host says', async () => {
    const later = NOW + 7 * DAY_MS;
    expect(await isHeld(hostsOf({ at: new Date(later).toISOString() }), 'plan', LEASE, later)).toBe(false);
  });
});
