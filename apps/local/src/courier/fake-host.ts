/** Somebody who reaches Temporal's port poses as hosts: takes the tasks of their queues, and answers them. */
import type { ApplyJob, HostJob } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { claimQueue, hostQueue } from '@nereid/domain/temporal-names';
import { Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { randomUUID } from 'node:crypto';

export interface FakeHost extends AsyncDisposable {
  readonly hostId: string;
}

export interface FakeHostOptions {
  /** It takes the tasks of this host, too. */
  readonly posesAs?: string;
  readonly planOnHost: (job: HostJob) => Promise<object>;
  readonly applyOnHost: (job: ApplyJob) => Promise<object>;
}

/** The server takes no poll without a deadline. */
const POLLED_WITHIN_MS = 60_000;

/** It takes claims until it is closed. */
export async function openFakeHost(
  address: string,
  { posesAs, planOnHost, applyOnHost }: FakeHostOptions,
): Promise<FakeHost> {
  const connection = await Connection.connect({ address });
  const { workflowService } = connection;
  const hostId = randomUUID();
  const namespace = 'default';
  const closing = new AbortController();

  /** Nobody has signed it. */
  function claimOf(deploymentId: unknown) {
    return { body: { version: 1, deploymentId, hostId }, signature: 'a..b' };
  }

  async function claimAndPlan(job: HostJob): Promise<object> {
    const since = new Date().toISOString();
    return { claim: claimOf(job.order.body.id), since, outcome: await planOnHost(job) };
  }

  function answer(activity: string, job: unknown): Promise<object> {
    if (activity === 'claimHost') return Promise.resolve(claimOf(job));
    if (activity === 'claimAndPlan') return claimAndPlan(job as HostJob); // The contract of that activity.
    if (activity === 'applyOnHost') return applyOnHost(job as ApplyJob); // The contract of that activity.
    return Promise.resolve({});
  }

  async function serveOne(name: string): Promise<void> {
    const poll = async () =>
      workflowService.pollActivityTaskQueue({ namespace, taskQueue: { name }, identity: hostId });
    const task = await connection.withDeadline(Date.now() + POLLED_WITHIN_MS, () =>
      connection.withAbortSignal(closing.signal, poll),
    );
    const { taskToken, activityType, input } = task;
    if (taskToken.length === 0) return;
    const [payload] = input?.payloads ?? [];
    const job: unknown = payload && defaultPayloadConverter.fromPayload(payload);
    const result = { payloads: [defaultPayloadConverter.toPayload(await answer(activityType?.name ?? '', job))] };
    await workflowService.respondActivityTaskCompleted({ namespace, taskToken, identity: hostId, result });
  }

  /** What it took too late is given to somebody else, or to it once more. */
  async function serve(queue: string): Promise<void> {
    while (!closing.signal.aborted) await serveOne(queue).catch(ignore);
  }

  const queues = [claimQueue(DEFAULT_POOL), hostQueue(hostId), ...(posesAs === undefined ? [] : [hostQueue(posesAs)])];
  const serving = queues.map(serve);
  return {
    hostId,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(serving);
      await connection.close();
    },
  };
}

const ignore = () => undefined;
