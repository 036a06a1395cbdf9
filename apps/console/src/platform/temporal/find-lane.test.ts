import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createFindLane } from './find-lane.ts';

/** Nothing listens on the port that is reserved for "discard". */
const connection = Connection.lazy({ address: '127.0.0.1:9' });
afterAll(() => connection.close());

test('Temporal being away is an answer, and comes by the deadline', async () => {
  const findLane = createFindLane(new Client({ connection }), 200);

  expect(await findLane('3f2a')).toEqual({ kind: 'unavailable' });
});
