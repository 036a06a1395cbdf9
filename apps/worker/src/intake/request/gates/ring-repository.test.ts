import { expect, test } from '@jest/globals';
import { aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { pino } from 'pino';
import { listLanes } from './ring-repository.ts';

type Context = Parameters<typeof listLanes>[0];

/** `count` lanes, in each of which a deployment is under way; the records of the broken ones cannot be read. */
function contextOf(count: number, broken: readonly string[] = []): Context {
  return {
    laneRecords: {
      async *list() {
        for (let lane = 0; lane < count; lane += 1) yield { ...REPOSITORY, rootName: `r${lane}`, stamp: 's' };
      },
      read: async (_repository: unknown, rootName: string) => {
        if (broken.includes(rootName)) throw new Error('cut off');
        return { record: aRecord({ running: deploymentAt(1) }), version: '1' };
      },
    },
    laneTurns: { read: async () => undefined },
    logger: pino({ level: 'silent' }),
  } as unknown as Context; // What it asks for.
}

test('a lane that cannot be read leaves the others in the list, which is not complete', async () => {
  const { lanes, isComplete } = await listLanes(contextOf(3, ['r1']), REPOSITORY);

  expect(lanes.map(({ rootName }) => rootName).toSorted()).toEqual(['r0', 'r2']);
  expect(isComplete).toBe(false);
});

test.each([
  [500, true],
  [501, false],
])('of %i lanes, at most 500 are listed, and whether those are all is said: %s', async (count, isAll) => {
  const { lanes, isComplete } = await listLanes(contextOf(count), REPOSITORY);

  expect(lanes).toHaveLength(500);
  expect(isComplete).toBe(isAll);
});
