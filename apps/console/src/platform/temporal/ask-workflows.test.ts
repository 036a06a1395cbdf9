import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { LANE } from '../../testing.ts';
import { createAskWorkflows, type ClientWith } from './ask-workflows.ts';

/** Nothing listens on the port that is reserved for "discard". */
const connection = Connection.lazy({ address: '127.0.0.1:9' });
afterAll(() => connection.close());

const clientWith: ClientWith = (options) => new Client({ connection, ...options });

test('Temporal being away is an answer, and comes by the deadline', async () => {
  const { askLane, askProgress } = createAskWorkflows(clientWith, pino({ level: 'silent' }), 200);

  expect(await askLane(LANE)).toEqual({ kind: 'unavailable' });
  expect(await askProgress('3f2a')).toEqual({ kind: 'unavailable' });
});
