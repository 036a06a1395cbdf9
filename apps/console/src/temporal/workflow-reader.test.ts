import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createWorkflowReader } from './workflow-reader.ts';

/** Nothing listens on the port that is reserved for "discard". */
const connection = Connection.lazy({ address: '127.0.0.1:9' });
afterAll(() => connection.close());

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };

test('Temporal being away is an answer, and comes by the deadline', async () => {
  const reader = createWorkflowReader(new Client({ connection }), 200);

  const answers = await Promise.all([reader.lane(LANE), reader.progress('3f2a'), reader.laneOf('3f2a')]);

  expect(answers).toEqual([{ kind: 'unavailable' }, { kind: 'unavailable' }, { kind: 'unavailable' }]);
});
