import { expect, test } from '@jest/globals';
import { aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { pino } from 'pino';
import { listApplies, ringPool } from './ring-pool.ts';

type Context = Parameters<typeof ringPool>[0] & Parameters<typeof listApplies>[0];

/** `count` lanes of several repositories, of which every second one has a deployment under way that has permission to apply. */
function contextOf(count: number, signals: string[] = []): Context {
  const running = (lane: number) => ({ ...deploymentAt(1), id: `d${lane}` });
  const laneOf = (rootName: string) => Number(rootName.slice(1));
  return {
    laneRecords: {
      async *list() {
        for (let lane = 0; lane < count; lane += 1)
          yield { ...REPOSITORY, name: `infra-${lane % 7}`, rootName: `r${lane}`, stamp: 's' };
      },
      read: async (repository: object, rootName: string) => {
        const lane = laneOf(rootName);
        const at = { repository: { ...REPOSITORY, ...repository }, rootName };
        return { record: { ...aRecord(lane % 2 === 0 ? { running: running(lane) } : {}), ...at }, version: '1' };
      },
    },
    laneTurns: {
      read: async (_repository: unknown, rootName: string) => ({
        last: { deployment: { id: `d${laneOf(rootName)}` } },
      }),
    },
    temporal: {
      withDeadline: (_at: number, call: () => unknown) => Promise.resolve(call()),
      workflow: { getHandle: (id: string) => ({ signal: () => Promise.resolve(void signals.push(id)) }) },
    },
    logger: pino({ level: 'silent' }),
  } as unknown as Context; // What it asks for.
}

test('of 1,000 lanes of several repositories, the 500 in which something runs are rung, and their deployments', async () => {
  const signals: string[] = [];

  expect(await ringPool(contextOf(1_000, signals), '*')).toBe(true);

  expect(signals).toHaveLength(1_000);
  expect(new Set(signals).size).toBe(1_000);
});

test('lanes that run in another pool are left alone', async () => {
  const signals: string[] = [];

  expect(await ringPool(contextOf(10, signals), 'gpu')).toBe(true);

  expect(signals).toEqual([]);
  expect(await listApplies(contextOf(10), 'gpu')).toEqual({ names: [], isComplete: true });
});

test.each([
  [2_000, true],
  [2_001, false],
])('of %i lanes, at most 2,000 are looked at, and whether those are all is said: %s', async (count, isAll) => {
  const { names, isComplete } = await listApplies(contextOf(count), '*');

  expect(names).toHaveLength(1_000);
  expect(isComplete).toBe(isAll);
});
