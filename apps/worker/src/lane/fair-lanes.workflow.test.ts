/** Lanes of several repositories on a real Temporal server: a busy one takes no more than its turns. */
import { expect, test } from '@jest/globals';
import type { LaneRead } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { CONTROL_QUEUE, MESSAGE } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { Worker } from '@temporalio/worker';
import { signalLane } from './signal-lane.ts';

const environment = environmentOfThisFile();

test('a repository with a hundred lanes delays the single lane of another one by a few', async () => {
  for (let lane = 0; lane < 100; lane += 1) await resume('monorepo', `root-${lane}`);
  await resume('small', 'network');
  const read: string[] = [];
  const { promise: all, resolve } = Promise.withResolvers<undefined>();
  const readLane = ({ name }: Repository): Promise<LaneRead> => {
    read.push(name);
    if (read.length === 101) resolve(undefined);
    return Promise.resolve({ kind: 'read', stored: null });
  };
  const { nativeConnection: connection, namespace, bundle } = environment;
  const worker = await Worker.create({
    ...{ connection, namespace, taskQueue: CONTROL_QUEUE, workflowBundle: { codePath: bundle } },
    activities: { readLane },
    maxConcurrentActivityTaskExecutions: 1,
    maxConcurrentWorkflowTaskExecutions: 2,
  });

  await worker.runUntil(all);

  expect(read.indexOf('small')).toBeLessThan(10);
});

function resume(name: string, rootName: string): Promise<string> {
  const repository = { owner: 'acme', name, installationId: 1 };
  const context = { temporal: environment.client };
  return signalLane(context, repository, rootName, { name: MESSAGE.resume, body: { version: 1 } });
}
