import { beforeAll, describe, expect, test } from '@jest/globals';
import { UNSEALED } from '@nereid/process';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { replayHistories } from '@nereid/test-kit/replay';
import { ensureSample } from './sample/repository.ts';
import { leftovers } from './stack/running/leftovers.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { createScene, type Scene } from './story/scene.ts';
import { story } from './story/story.ts';
import { openClient, openWorkflows, type Workflows } from './story/workflows.ts';

const folder = folderOfThisFile();
let stack: Stack;
let workflows: Workflows;
let scene: Scene;
let failedBefore: string | undefined;

beforeAll(async () => {
  const report = () => undefined;
  const options = {
    ports: 'free',
    storage: 'folder',
    plansPullRequests: true,
    planReview: 'before_merge',
    report,
  } as const;
  stack = await startStack({ env: process.env, folder, ...options });
  workflows = await openWorkflows(stack);
  await ensureSample(stack.github);
  scene = createScene(stack, workflows);
});

describe('on real parts', () => {
  test.each(story().map((step) => [step.title, step] as const))('%s', async (_title, step) => {
    // Steps build on each other: without the ones before, the next would only wait for its deadline.
    expect(failedBefore).toBeUndefined();
    failedBefore = step.title;
    await step.play(scene);
    failedBefore = undefined;
  });

  test("Temporal's tab Call Stack says that no stack traces are recorded, and why", async () => {
    const client = await openClient(stack);
    const [lane] = await Array.fromAsync(client.workflow.list({ query: "WorkflowType = 'deploy'", pageSize: 1 }));

    const answer = client.workflow.getHandle(lane?.workflowId ?? '').query('__stack_trace');

    await expect(answer).resolves.toMatch(/^Stack traces are off on this worker: .* a sixth of its work/);
    await client.connection.close();
  });

  test('every workflow could be replayed: a restart or an upgrade would find it again', async () => {
    const { workflows: replayed, failures } = await replayHistories(stack.temporalAddress, UNSEALED);

    expect(failures).toEqual([]);
    expect(replayed).toBeGreaterThan(40);
  });

  test('nothing that was started is left when it is stopped', async () => {
    await workflows[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();

    await expect(leftovers(folder)).resolves.toEqual([]);
  });
});
