/** Claims on a real Temporal server, served by hosts as the product serves them; what they then run is a stand-in. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { PlanOutcome, TerraformInput } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { CONTROL_QUEUE, hostQueue, SLOT_NEEDED, WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment } from '@nereid/domain/testing';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { testSignatures } from '../../testing/test-signatures.ts';
import { claimWorker, createClaimServices, type ClaimingHost } from './claim-queue.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';
import type { SlotUse } from '../slots/slot-usage.ts';
import { createSlots } from '../slots/slots.ts';
import { findPlanner } from './find-planner.ts';

const environment = environmentOfThisFile();
let closes: (() => Promise<void>)[];
let connections: NativeConnection[];

beforeEach(async () => {
  closes = [];
  connections = [];
  const activities = {
    showCheckRun: () => Promise.resolve({ kind: 'refused' }),
    endDeployment: () => Promise.resolve({ shown: { kind: 'refused' }, isStored: true }),
    explainWait: async () => (await plannerOf(Context.current().info.workflowExecution?.workflowId ?? '')) ?? WAITS,
  };
  run(await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities }));
});

afterEach(async () => {
  await Promise.all(closes.map((close) => close()));
  await Promise.all(connections.map((connection) => connection.close()));
});

const nothing = () => Promise.resolve();

/** Enough that a host which polls would get one of them. */
const MANY = 8;

const INTERRUPTED = 'interrupted';

const USES: readonly SlotUse[] = ['deployment', 'preview'];

test('a full host is not even asked: the one with a free slot gets every claim', async () => {
  const full = await aHost('full');
  full.slots.countRunning('other');
  await full.poll();
  const free = await aHost('free');
  await free.poll();

  for (let claims = 0; claims < MANY; claims += 1) await (await aClaim()).result();

  expect(free.claims).toHaveLength(MANY);
  expect(full.claims).toEqual([]);
});

test('a claim that no host can serve waits in the queue, and gets the slot that becomes free', async () => {
  const host = await aHost('busy');
  const end = host.slots.countRunning('other');
  await host.poll();
  const waiting = await aClaim();
  await host.looked();
  expect(host.claims).toEqual([]);

  end();

  await waiting.result();
  expect(host.claims).toEqual([waiting.workflowId]);
});

test('more claims than slots are served one after the other, and never more at once', async () => {
  const host = await aHost('small');
  await host.poll();

  const claims = await Promise.all(Array.from({ length: MANY }, () => aClaim()));
  await Promise.all(claims.map((claim) => claim.result()));

  expect(new Set(host.claims).size).toBe(MANY);
  expect(host.mostAtOnce()).toBe(1);
});

test('a repository that queues a hundred claims delays the single claim of another one by a few', async () => {
  const host = await aHost('shared');
  const end = host.slots.countRunning('other');
  await host.poll();
  const many = await Promise.all(Array.from({ length: 100 }, () => aClaim('monorepo')));
  await Promise.all(many.map(queued));
  const single = await aClaim('small');
  await queued(single);

  end();

  await single.result();
  expect(host.claims.indexOf(single.workflowId)).toBeLessThan(10);
  await Promise.all(many.map((claim) => claim.result()));
});

test('of a hundred previews that wait for the only slot, a deployment waits for the one that runs, and for no other', async () => {
  const host = await aHost('shared-with-previews');
  const end = host.slots.countRunning('preview that runs', 'preview');
  await host.poll();
  const previews = await Promise.all(Array.from({ length: 100 }, () => aClaim('monorepo', 'preview')));
  await Promise.all(previews.map(queued));
  const deployment = await aClaim('small');
  await queued(deployment);

  end();

  await deployment.result();
  expect(host.claims[0]).toBe(deployment.workflowId);
  // Each would take its turn, and one may have ended.
  await Promise.allSettled(previews.map((preview) => preview.terminate()));
});

test('previews hold all slots, a deployment gets one of them at once, and who was interrupted comes again', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>();
  const host = await aHost('lending', { total: 2, previews: 1, previewsRunUntil: isOver });
  await host.poll();
  const previews = await Promise.all([aClaim('infra', 'preview'), aClaim('infra', 'preview')]);
  await host.runs(2);

  const deployment = await aClaim();
  await deployment.result();
  await host.runs(2);
  expect(host.claims).toHaveLength(4);
  expect(new Set(host.claims).size).toBe(3);

  end(undefined);
  await Promise.all(previews.map((preview) => preview.result()));
  expect(host.mostAtOnce()).toBeLessThanOrEqual(3);
});

test('a host that drains takes no claim, and ends although it waits for a slot', async () => {
  const host = await aHost('leaving');
  host.slots.claim('other');
  await host.poll();
  host.slots.drain();
  host.slots.release('other');
  const claim = await aClaim();

  await host.close();
  expect(host.claims).toEqual([]);

  const next = await aHost('next');
  await next.poll();
  await claim.result();
  expect(next.claims).toEqual([claim.workflowId]);
});

test('control finds the host that plans, and no host of a plan that waits for a slot', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>();
  const hostId = randomUUID();
  const host = await aHost(hostId, { total: 1, previews: 1, previewsRunUntil: isOver });
  await host.poll();
  const running = await aClaim('infra', 'preview');
  await host.runs(1);
  const waiting = await aClaim('infra', 'preview');
  await queued(waiting);

  while ((await plannerOf(running.workflowId)) === undefined) await host.looked();
  expect(await plannerOf(running.workflowId)).toMatchObject({ kind: 'at work', hostId });
  expect(await plannerOf(waiting.workflowId)).toBeUndefined();

  end(undefined);
  await Promise.all([running.result(), waiting.result()]);
});

test('a cancellation reaches the host that plans at once, without any heartbeat or timer', async () => {
  const { promise: isStopped, resolve: stop } = Promise.withResolvers<undefined>();
  const host = await aHost(randomUUID(), { total: 1, previews: 1, previewsRunUntil: isStopped, stop });
  await host.poll();
  const preview = await aClaim('infra', 'preview');
  await host.runs(1);
  while ((await plannerOf(preview.workflowId)) === undefined) await host.looked();

  await preview.cancel();
  await isStopped;
  await preview.result();

  expect(await untilItsHostIsTold(preview)).toEqual([]);
});

test('a plan that is cancelled while it waits for a slot is made by no host', async () => {
  const host = await aHost('late');
  const end = host.slots.countRunning('other');
  await host.poll();
  const preview = await aClaim('infra', 'preview');
  await queued(preview);

  await preview.cancel();
  await preview.result();
  end();

  await (await aClaim()).result();
  expect(host.claims).not.toContain(preview.workflowId);
});

interface HostOptions {
  readonly total: number;
  readonly previews: number;
  readonly previewsRunUntil?: Promise<unknown>;
  /** Told to stop at once. */
  readonly stop?: (nothing: undefined) => void;
}

const WAITS = { kind: 'waits', why: 'Waiting for a host' } as const;

function plannerOf(workflowId: string) {
  return findPlanner(environment.client, workflowId);
}

/** A host, with one slot by default, whose plans fail at once. */
async function aHost(
  hostId: string,
  { total, previews, previewsRunUntil, stop }: HostOptions = { total: 1, previews: 1 },
) {
  const slots = createSlots(() => total, { previews: () => previews });
  const claims: string[] = [];
  let atOnce = 0;
  let most = 0;
  const { address, namespace } = environment;
  const connection = await NativeConnection.connect({ address });
  connections.push(connection);
  const aWorker = (options: Pick<WorkerOptions, 'taskQueue' | 'activities' | 'tuner'>) =>
    Worker.create({ connection, namespace, ...options });
  const close = run(
    await aWorker({
      taskQueue: hostQueue(hostId),
      activities: { cleanUpHost: nothing, stopOnHost: async () => stop?.(undefined) },
    }),
  );
  let closeClaims: (() => Promise<unknown>)[] = [];
  return {
    slots,
    claims,
    mostAtOnce: () => most,
    /** Once so many plans are at work. */
    async runs(plans: number) {
      while (atOnce !== plans) await new Promise((resolve) => setImmediate(resolve));
    },
    async poll() {
      closeClaims = await Promise.all(USES.map(pollFor));
    },
    /** A round trip to the server, in which a claim would have been delivered. */
    looked: () => environment.client.workflowService.getSystemInfo({}),
    close: () => Promise.all([close, ...closeClaims].map((end) => end())),
  };

  async function pollFor(use: SlotUse) {
    const host: ClaimingHost = { hostId, slots, signatures: testSignatures, open, plan };
    return run(await aWorker(claimWorker(DEFAULT_POOL, hostId, createClaimServices(host)[use])));
  }

  function open({ order }: Parameters<ClaimingHost['open']>[0]): Promise<OpenedJob> {
    const { id: deploymentId, trigger } = order.body;
    claims.push(deploymentId);
    const preview = trigger === 'preview' && { preview: {} };
    return Promise.resolve({ deploymentId, trigger, ...preview } as OpenedJob); // Nobody reads the rest.
  }

  async function plan({ deploymentId, trigger }: OpenedJob): Promise<PlanOutcome> {
    const { promise: isInterrupted, resolve: interrupt } = Promise.withResolvers<typeof INTERRUPTED>();
    const isPreview = trigger === 'preview';
    const ofPreview = isPreview && { interrupt: () => interrupt(INTERRUPTED) };
    const end = await slots.begin(deploymentId, { signal: new AbortController().signal, ...ofPreview });
    Context.current().heartbeat({ step: 'plan' });
    atOnce += 1;
    most = Math.max(most, atOnce, slots.usage().used);
    await new Promise((resolve) => setImmediate(resolve));
    const early = isPreview && previewsRunUntil ? await Promise.race([isInterrupted, previewsRunUntil]) : undefined;
    atOnce -= 1;
    end?.();
    if (early === INTERRUPTED) throw ApplicationFailure.create({ message: 'interrupted', type: SLOT_NEEDED });
    return { kind: 'failed', failure: { body: { summary: 'it was only a claim', lines: [] } } };
  }
}

/** Until the test is over. */
function run(worker: Worker): () => Promise<void> {
  const ended = worker.run();
  let isClosing = false;
  const close = async () => {
    if (!isClosing) worker.shutdown();
    isClosing = true;
    await ended;
  };
  closes.push(close);
  return close;
}

/** What the workflow waited for between its cancellation and the order to its host to stop. */
async function untilItsHostIsTold(deployment: Pick<WorkflowHandle, 'fetchHistory'>) {
  const { events } = await deployment.fetchHistory();
  const all = events ?? [];
  const cancelled = all.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes);
  const told = all.findIndex(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'stopOnHost',
  );
  return all
    .slice(cancelled, told)
    .filter((event) => event.timerStartedEventAttributes ?? event.timerFiredEventAttributes);
}

/** As soon as the deployment waits for a host. */
async function queued(claim: Pick<WorkflowHandle, 'describe'>): Promise<void> {
  for (;;) {
    const { raw } = await claim.describe();
    if (raw.pendingActivities?.some(({ activityType }) => activityType?.name === 'claimAndPlan')) return;
  }
}

/** A deployment, which ends when a host took it. */
async function aClaim(repository = 'infra', use: SlotUse = 'deployment') {
  const deploymentId = randomUUID();
  const input: TerraformInput = {
    repository: { owner: 'acme', name: repository, installationId: 1 },
    deployment: {
      ...aDeployment({ status: 'queued' }),
      id: deploymentId,
      ...(use === 'preview' && { trigger: 'preview' }),
    },
    reported: {},
    reviewRequired: true,
  };
  return environment.client.workflow.start(WORKFLOW.terraform, {
    workflowId: deploymentId,
    taskQueue: CONTROL_QUEUE,
    args: [input],
  });
}
