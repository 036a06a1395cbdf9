/**
 * How many webhooks one gateway takes a second, on a Temporal server with PostgreSQL, beside what that server takes without a
 * gateway; how many it drops that nobody needs; and its memory. No worker runs, which would share the cores with what is measured.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CONTROL_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Stack } from '@nereid/local/stack';
import { Client, Connection } from '@temporalio/client';
import { rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { openConnections } from './temporal/connections.ts';
import { asFastAsPossible, atRate, inTurns, type Load, type Send } from './temporal/load.ts';
import { readMemory } from './temporal/memory.ts';
import { withRealTemporal } from './temporal/real-temporal.ts';
import { scaled } from './temporal/scale.ts';

export interface WebhooksBench {
  /** Bytes of the one webhook that is sent again and again, as another delivery each time. */
  readonly bytes: number;
  /** Starts of a workflow, and signals that start one, without a gateway. */
  readonly starts: Load;
  readonly signals: Load;
  /** Webhooks of pushes: as many as there can be, and the highest rate that is held at `HELD_P99_MS`. */
  readonly taken: Load;
  readonly held: Load;
  /** Of a kind that nobody needs. */
  readonly dropped: Load;
  /** MiB of the gateway: before, at most, and after. */
  readonly memory: { readonly rest: number; readonly most: number; readonly after: number };
}

/** People who push see their check run this much later at worst. */
const HELD_P99_MS = 100;

/** More at once only wait for each other. */
const AT_ONCE = 50;

const DURATION_MS = 15_000;

/** Shares of the most that is taken, until one is held. */
const SHARES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] as const;

/** Until what came before is written. */
const REST_MS = 3_000;

export function benchWebhooks(env: NodeJS.ProcessEnv): Promise<WebhooksBench> {
  const durationMs = scaled(DURATION_MS, env);
  return withRealTemporal({ env, planReview: 'auto' }, async ({ stack }) => {
    await stack.holdDown('worker');
    const push = await onePush(stack);
    await pause(REST_MS);
    const { gateway: rest } = await readMemory();
    await using connection = new AsyncDisposableStack();
    const temporal = connection.adopt(await Connection.connect({ address: stack.temporalAddress }), (opened) =>
      opened.close(),
    );
    using watch = watchGateway();
    const { workflow } = new Client({ connection: temporal });
    const start = { taskQueue: CONTROL_QUEUE, args: [push.payload] };
    const startOne: Send = async () => {
      await workflow.start(WORKFLOW.intake, { ...start, workflowId: `start/${randomUUID()}` });
    };
    const signalOne: Send = async () => {
      const signal = { signal: MESSAGE.newRevision, signalArgs: [push.payload] };
      await workflow.signalWithStart(WORKFLOW.deploy, { ...start, ...signal, workflowId: `signal/${randomUUID()}` });
    };
    const webhooks = <T>(event: string, use: (send: Send) => Promise<T>) =>
      withSender(stack, { event, payload: push.payload }, use);
    const { starts, signals, taken } = await webhooks('push', (sendOne) =>
      inTurns({ starts: startOne, signals: signalOne, taken: sendOne }, AT_ONCE, durationMs),
    );
    const held = await highestHeld(taken.perSecond, (perSecond) =>
      webhooks('push', (send) => atRate(send, perSecond, durationMs)),
    );
    const dropped = await webhooks('pull_request_review', (send) => asFastAsPossible(send, AT_ONCE, durationMs));
    await pause(REST_MS);
    const { gateway: after } = await readMemory();
    return {
      bytes: push.payload.length,
      starts,
      signals,
      taken,
      held,
      dropped,
      memory: { rest, most: watch.most(), after },
    };
  });
}

/** The webhook of a push to the default branch, as GitHub's stand-in sends it. */
async function onePush({ github, folders }: Stack): Promise<{ readonly payload: string }> {
  const names = rootNames(1);
  await github.createRepository({ ...SAMPLE, files: rootFiles(names, folders.state), collaborators: {} });
  const change = { files: { 'root-01/one.tf': '' }, message: 'Change', author: 'alice' };
  await github.commit({ repository: SAMPLE_NAME, branch: 'main', ...change });
  await github.settled();
  const sent = github.deliveries().find(({ event, statusCode }) => event === 'push' && statusCode === 202);
  if (sent === undefined) throw new Error('expected the gateway to take a push, found none');
  return sent;
}

interface Sent {
  readonly event: string;
  readonly payload: string;
}

/** Its connections are new, because the gateway closes those that were silent. */
async function withSender<T>(
  { urls, webhookSecret }: Stack,
  { event, payload }: Sent,
  use: (send: Send) => Promise<T>,
): Promise<T> {
  const { host, pathname, port } = new URL(urls.webhooks);
  const signature = createHmac('sha256', webhookSecret.value).update(payload).digest('hex');
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    `X-GitHub-Event: ${event}`,
    `X-Hub-Signature-256: sha256=${signature}`,
  ].join('\r\n');
  using connections = await openConnections(Number(port), AT_ONCE);
  return await use(async () => {
    const status = await connections.request(
      Buffer.from(`${head}\r\nX-GitHub-Delivery: ${randomUUID()}\r\n\r\n${payload}`),
    );
    if (status !== 202) throw new Error(`expected 202, found ${status}`);
  });
}

/** The lowest rate where none is held, which its p99 shows. */
async function highestHeld(mostPerSecond: number, load: (perSecond: number) => Promise<Load>): Promise<Load> {
  let tried: Load = { perSecond: 0, p99Ms: Infinity };
  for (const share of SHARES) {
    await pause(REST_MS);
    tried = await load(mostPerSecond * share);
    if (tried.p99Ms < HELD_P99_MS) break;
  }
  return tried;
}

const LOOK_MS = 500;

function watchGateway(): Disposable & { most(): number } {
  let most = 0;
  const look = setInterval(() => {
    void readMemory().then(({ gateway }) => (most = Math.max(most, gateway)));
  }, LOOK_MS);
  return {
    most: () => most,
    [Symbol.dispose]: () => {
      clearInterval(look);
    },
  };
}
