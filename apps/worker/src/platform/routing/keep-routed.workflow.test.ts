/** Two builds of the workflow code at one server: forth, back while both run, and forth again. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { keepRouted } from './keep-routed.ts';
import { offerVersion } from './offer-version.ts';
import { readRoutes, routeTo } from './read-routes.ts';
import { WORKER_DEPLOYMENT } from './workflow-version.ts';

const REVIEW = fileURLToPath(new URL('testing/review.ts', import.meta.url));
const REVIEW_WITH_STEP = fileURLToPath(new URL('testing/review-with-step.ts', import.meta.url));

const logger = pino({ level: 'silent' });

// The second build takes a step that the product's replay does not know.
const environment = environmentOfThisFile({ isReplayed: false });
let first: Build;
let second: Build;

interface Build {
  readonly code: string;
  readonly buildId: string;
}

interface Running {
  stop(): Promise<void>;
}

beforeAll(async () => {
  [first, second] = [await build(REVIEW), await build(REVIEW_WITH_STEP)];
});

describe('two builds of the workflow code', () => {
  let ofFirst: Running;
  let ofSecond: Running;
  let review: WorkflowHandle;
  let later: WorkflowHandle;

  test('the first worker of an installation has workflows routed to its version, and they run', async () => {
    ofFirst = await start(first);
    review = await openReview('review');

    await untilRunBy(review, [first]);
    expect(await current()).toBe(first.buildId);
  });

  test('a later version becomes current while both run, and an open review goes on in it', async () => {
    ofSecond = await start(second);
    await untilCurrent(second);

    await review.signal('answer');

    await untilRunBy(review, [first, second]);
  });

  test('a worker of the earlier version that starts again turns nothing back', async () => {
    await ofFirst.stop();
    ofFirst = await start(first);
    later = await openReview('later');

    await untilRunBy(later, [second]);
    expect(await current()).toBe(second.buildId);
  });

  test('back, once the workers of the later version are gone: the open review goes on in the earlier one', async () => {
    await Promise.all([ofSecond.stop(), ofFirst.stop()]);
    ofFirst = await start(first, muchLater);
    await untilCurrent(first);

    await review.signal('answer');

    await untilRunBy(review, [first, second, first]);
    await review.result();
  });

  test('a workflow that has taken a step of the later version waits there, and goes on when that one is back', async () => {
    await later.signal('answer');
    await eventually(
      'a failed task',
      () => later.fetchHistory(),
      ({ events }) => events?.some(({ workflowTaskFailedEventAttributes: failed }) => failed) === true,
    );

    await ofFirst.stop();
    ofSecond = await start(second, muchLater);
    await later.signal('answer');

    await later.result();
    await ofSecond.stop();
  });
});

test('somebody else who routes at the same time is noticed', async () => {
  const running = await start(first, undefined, 'manual');
  const before = await readRoutes(environment.client);
  if (before === undefined) throw new Error('expected routes');

  await routeTo(environment.client, first.buildId, before);

  await expect(routeTo(environment.client, second.buildId, before)).rejects.toThrow('conflict token');
  await running.stop();
});

test('a queue that somebody added to the current version, and filled, keeps no later version from becoming current', async () => {
  const [ofFirst, atOwnQueue] = [
    await start(first, muchLater),
    await start(first, undefined, 'manual', 'somebody-else'),
  ];
  await untilCurrent(first);
  await eventually('the queue', queues, (names) => names.includes('somebody-else'));
  await Promise.all([ofFirst.stop(), atOwnQueue.stop()]);
  await openReview('of somebody else', 'somebody-else');

  const ofSecond = await start(second, muchLater);

  await untilCurrent(second);
  await ofSecond.stop();
});

async function build(source: string): Promise<Build> {
  const code = await bundleWorkflows(source);
  const { buildId } = await offerVersion({ temporal: environment.client, logger }, [{ workflowBundle: { code } }]);
  return { code, buildId: buildId ?? '' };
}

/** A control worker in so far as it runs workflows. */
async function start(
  { code }: Build,
  now: () => number = Date.now,
  routing: 'automatic' | 'manual' = 'automatic',
  taskQueue: string = CONTROL_QUEUE,
): Promise<Running> {
  const { address, namespace, client: temporal } = environment;
  const connection = await NativeConnection.connect({ address });
  const { buildId = '', queues } = await offerVersion({ temporal, logger }, [{ workflowBundle: { code } }]);
  const worker = await Worker.create({ connection, namespace, taskQueue, ...queues[0] });
  const run = worker.run();
  const stopRouting = keepRouted({ temporal, logger, buildId, routing: () => routing, now, asideMs: 50 });
  return {
    async stop() {
      await stopRouting();
      worker.shutdown();
      await run;
      await connection.close();
    },
  };
}

function openReview(workflowId: string, taskQueue: string = CONTROL_QUEUE): Promise<WorkflowHandle> {
  // A task that a worker took before it stopped is given to another one after this time.
  const options = { workflowId, taskQueue, workflowTaskTimeout: '2s', args: [] } as const;
  return environment.client.workflow.start(WORKFLOW.terraform, options);
}

/** As if the others had been gone for minutes. */
const muchLater = () => Date.now() + 300_000;

const current = async () => (await readRoutes(environment.client))?.current;

/** Of the first version, as Temporal knows them. */
async function queues(): Promise<readonly string[]> {
  const { client, namespace } = environment;
  const { versionTaskQueues } = await client.workflowService.describeWorkerDeploymentVersion({
    ...{ namespace, deploymentVersion: { deploymentName: WORKER_DEPLOYMENT, buildId: first.buildId } },
  });
  return versionTaskQueues.map(({ name }) => name ?? '');
}

const untilCurrent = ({ buildId }: Build) => eventually(buildId, current, (found) => found === buildId);

/** Until these builds, one after the other, have done the tasks of a workflow, as its history says. */
function untilRunBy(review: WorkflowHandle, builds: readonly Build[]): Promise<void> {
  const wanted = builds.map(({ buildId }) => buildId).join(', ');
  return eventually(
    wanted,
    () => buildsOf(review),
    (found) => found === wanted,
  );
}

async function buildsOf(review: WorkflowHandle): Promise<string> {
  const { events } = await review.fetchHistory();
  const all = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: completed }) => {
    const buildId = completed?.deploymentVersion?.buildId ?? undefined;
    return buildId === undefined ? [] : [buildId];
  });
  return all.filter((buildId, index) => buildId !== all[index - 1]).join(', ');
}

async function eventually<T>(what: string, ask: () => Promise<T>, isIt: (found: T) => boolean): Promise<void> {
  const deadline = Date.now() + 100_000;
  for (;;) {
    const found = await ask();
    if (isIt(found)) return;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}, found ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
