import { beforeAll, expect, test } from '@jest/globals';
import type { WatchParts } from '@nereid/domain/activities';
import { inParts } from '@nereid/domain/parts';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { Worker } from '@temporalio/worker';
import { readLastWatch } from './last-watch.ts';

const environment = environmentOfThisFile();
let worker: Worker;
let found: string;

beforeAll(async () => {
  const fakes: WatchParts = {
    lastWatch: () => Promise.resolve(null),
    reportStuck: () => Promise.resolve({ count: 0, workflows: [] }),
    resumeLanes: () => Promise.resolve([found]),
    reportClosed: () => Promise.resolve({ found: [] }),
  };
  worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { watch: inParts(fakes) } });
});

test('a watch knows what the newest before it came to; the first one knows of none', async () => {
  const context = { temporal: environment.client };
  expect(await readLastWatch(context)).toBeNull();

  await worker.runUntil(async () => {
    for (found of ['one', 'two', 'three']) {
      await environment.client.workflow.execute(WORKFLOW.watch, { workflowId: found, taskQueue: CONTROL_QUEUE });
    }
  });

  // Temporal lists what closed a moment later.
  let last = await readLastWatch(context);
  for (const deadline = Date.now() + 60_000; last?.found[0] !== 'three' && Date.now() < deadline;)
    last = await readLastWatch(context);
  expect(last).toMatchObject({ found: ['three'] });
});
