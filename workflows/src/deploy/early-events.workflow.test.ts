import { expect, test } from '@jest/globals';
import { CONTROL_QUEUE, MESSAGE } from '@nereid/domain/temporal-names';
import { aRevision } from '@nereid/domain/testing';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { setTimeout } from 'node:timers/promises';
import { FakeWorld } from './testing/fake-world.ts';
import { LaneDriver } from './testing/lane-driver.ts';

const environment = environmentOfThisFile();

/** All that the lane did replays as well. */
/** In a third of the rounds or so, Temporal gives the query to the worker before the task. */
const ROUNDS = 8;

test('a merge that comes while a query waits for a worker is received when its task starts, not before', async () => {
  const world = new FakeWorld(environment.client);
  const lane = new LaneDriver(environment, world);
  const withWorker = async <T>(work: () => Promise<T>): Promise<T> => {
    const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { ...world.control } });
    return worker.runUntil(work);
  };
  await lane.merge(aRevision(0));
  await withWorker(() => lane.until('the first one runs', ({ running }) => running !== undefined));
  const sentAt: number[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    const asked = lane.handle.query(MESSAGE.lane).catch(() => undefined);
    // Until the query waits for a worker.
    await setTimeout(200);
    sentAt.push(Date.now());
    await lane.merge(aRevision(round));
    await withWorker(async () => {
      await asked;
      await lane.until(`${round} wait`, ({ waiting }) => waiting.length === round);
    });
  }

  const { waiting } = await withWorker(() => lane.view());
  const early = waiting.filter(({ receivedAt }, index) => Date.parse(receivedAt) < (sentAt[index] ?? 0));
  expect(early).toEqual([]);
  await lane.handle.terminate('the test is over');
});
