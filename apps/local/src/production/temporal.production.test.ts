/** The story on Temporal as companies run it: a server on PostgreSQL, set up by our own commands. Both are killed while it goes on. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { UNSEALED } from '@nereid/process';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { replayHistories } from '@nereid/test-kit/replay';
import { openTemporalOnPostgres, type TemporalOnPostgres } from '@nereid/test-kit/temporal-on-postgres';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { ensureSample } from '../sample/repository.ts';
import { leftovers } from '../stack/running/leftovers.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { createScene, type Scene } from '../story/scene.ts';
import type { Step } from '../story/step.ts';
import { story } from '../story/story.ts';
import { openWorkflows, type Workflows } from '../story/workflows.ts';

/** The first run builds the server. */
jest.setTimeout(1_800_000);

/** As often as the test kills it, and more. */
const RESTARTS = 10;

const folder = folderOfThisFile();
let temporal: TemporalOnPostgres;
let stack: Stack;
let workflows: Workflows;
let scene: Scene;
let failedBefore: string | undefined;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  const report = () => undefined;
  temporal = await openTemporalOnPostgres({ env: process.env, folder: path.join(folder, 'postgres'), report });
  opened.use(temporal);
  stack = await startStack({
    env: process.env,
    folder: path.join(folder, 'stack'),
    ports: 'free',
    storage: 'folder',
    plansPullRequests: true,
    planReview: 'before_merge',
    restarts: RESTARTS,
    startTemporal: (place) => temporal.startServer(place),
    report,
  });
  opened.use(stack);
  workflows = opened.use(await openWorkflows(stack));
  await ensureSample(stack.github);
  scene = createScene(stack, workflows);
});

afterAll(() => opened.disposeAsync());

const killServer: Step = {
  title: 'the Temporal server is killed while three roots wait for people, and started again',
  async play() {
    await stack.holdDown('temporal');
    await stack.letUp('temporal');
    await listens();
  },
};

const killBoth: Step = {
  title: 'PostgreSQL and the Temporal server are killed while a merge waits for a lock, and started again',
  async play() {
    await temporal.holdPostgresDown();
    await stack.holdDown('temporal');
    await temporal.letPostgresUp();
    await stack.letUp('temporal');
    await listens();
  },
};

const killDatabase: Step = {
  title: 'PostgreSQL alone is killed and started again: the server finds it by itself',
  async play() {
    await temporal.holdPostgresDown();
    await temporal.letPostgresUp();
    await listens();
  },
};

/** Each interruption, after the step with this title. */
const INTERRUPTIONS: ReadonlyMap<string, Step> = new Map([
  ['a merge that touches two roots and a module of a third is planned in three deployments', killServer],
  ['a plan that fails shows the lines of the error', killDatabase],
  ['a merge in the meantime waits for the lock', killBoth],
]);

/** GitHub does not repeat a webhook that reached nobody. */
async function listens(): Promise<void> {
  await until('the gateway to be ready', async () => {
    const ready = await fetch(new URL('/readyz', stack.urls.webhooks)).catch(() => undefined);
    return ready?.ok === true;
  });
}

const STEPS = story().flatMap((step) => [
  step,
  ...[INTERRUPTIONS.get(step.title)].filter((each) => each !== undefined),
]);

test.each(STEPS.map((step) => [step.title, step] as const))('%s', async (_title, step) => {
  // Steps build on each other: without the ones before, the next would only wait for its deadline.
  expect(failedBefore).toBeUndefined();
  failedBefore = step.title;
  await step.play(scene);
  failedBefore = undefined;
});

test('every interruption was played', () => {
  expect(STEPS).toEqual(expect.arrayContaining([...INTERRUPTIONS.values()]));
});

test('every workflow could be replayed', async () => {
  const { workflows: replayed, failures } = await replayHistories(stack.temporalAddress, UNSEALED);

  expect(failures).toEqual([]);
  expect(replayed).toBeGreaterThan(40);
});

test('nothing that was started is left when it is stopped', async () => {
  await opened.disposeAsync();

  await expect(leftovers(folder)).resolves.toEqual([]);
});
