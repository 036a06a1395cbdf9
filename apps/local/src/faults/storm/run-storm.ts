/** A storm: many merges, people who press, and processes that are killed or restarted; then calm, until everything has ended. */
import { RECONCILE_SCHEDULE } from '@nereid/domain/temporal-names';
import type { AuditEvent } from '@nereid/domain/trail';
import type { RequestCount } from '@nereid/github-stand-in';
import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import { leftovers } from '../../stack/running/leftovers.ts';
import type { Stack } from '../../stack/stack.ts';
import type { Actors } from './actors.ts';
import type { Facts } from './findings.ts';
import type { GateKeeper } from './gate-keeper.ts';
import { readRecords, type StoredStorm } from './records.ts';
import { STORM_NAME, type StormRepository } from './storm-repository.ts';
import { watchDeliveries } from './watch-deliveries.ts';

export interface StormOptions {
  readonly stack: Stack;
  readonly repository: StormRepository;
  readonly actors: Actors;
  /** Undefined where nothing is closed. */
  readonly gates?: GateKeeper;
  readonly pushes: number;
  readonly stormMs: number;
  /** The deadline for the calm after the storm. */
  readonly deadlineMs: number;
  /** Receives the progress about every half minute. */
  readonly report: (line: string) => void;
}

export interface Storm {
  readonly facts: Facts;
  /** How often each route of GitHub was asked, the most frequent first. */
  readonly requests: readonly RequestCount[];
  /** The processes that were killed or restarted, in order. */
  readonly disturbed: readonly string[];
  /** From the first push until everything had ended. */
  readonly tookMs: number;
  /** How many events the longest history of a lane has. */
  readonly longestHistory: number;
  /** Processes of deployments that still run. */
  readonly leftProcesses: readonly string[];
}

export async function runStorm(options: StormOptions): Promise<Storm> {
  const { stack, repository, actors, gates, pushes, stormMs } = options;
  const startedAt = performance.now();
  const allDeliveries = watchDeliveries(stack);
  const storm = new AbortController();
  const { signal } = storm;
  const acting = [actors.press(signal, false), actors.disturb(signal), ...(gates ? [gates.keep(signal)] : [])];
  await Promise.all([actors.push(pushes, stormMs * 0.8), pause(stormMs)]);
  storm.abort();
  await Promise.all(acting);
  options.report(
    `calm after ${secondsSince(startedAt)}: ${actors.pushed.length} pushes, ${actors.disturbed.length} kills or restarts`,
  );

  const waiting = deploymentRunsOf(stack).filter(({ status }) => status !== 'completed');
  await gates?.openAll();
  const calm = new AbortController();
  const pressing = actors.press(calm.signal, true);
  await using temporal = await connect(stack.temporalAddress);
  const stored = await untilOver(options, temporal.client);
  const tookMs = performance.now() - startedAt;
  calm.abort();
  await pressing;

  const { pushed, pressed, disturbed } = actors;
  return {
    facts: {
      ...stored,
      pushed,
      pressed,
      ledger: await repository.ledger(),
      audited: await auditOf(stack),
      checkRuns: deploymentRunsOf(stack),
      deliveries: allDeliveries(),
      closed: gates?.closed ?? [],
      waiting,
      spans: await repository.spans(),
      narrow: repository.narrow,
    },
    requests: stack.github.requestCounts(),
    disturbed,
    tookMs,
    longestHistory: await longestHistoryOf(temporal.client),
    leftProcesses: await leftovers(stack.folders.work),
  };
}

function deploymentRunsOf({ github }: Stack): Facts['checkRuns'] {
  return github.checkRuns(STORM_NAME).filter(({ name }) => name.startsWith('nereid/deploy: '));
}

/** The reconciler makes up for webhooks that a dead gateway lost; here it runs more often than every ten minutes. */
async function untilOver(options: StormOptions, client: Client): Promise<StoredStorm> {
  const deadline = performance.now() + options.deadlineMs;
  for (let round = 0; ; round += 1) {
    if (round % RECONCILED_EVERY === 0)
      await client.schedule
        .getHandle(RECONCILE_SCHEDULE)
        .trigger()
        .catch(() => undefined);
    await pause(ROUND_MS);
    const stored = await readRecords(options.stack);
    const left = whatIsLeft(options, stored, await countRunning(client));
    if (left === undefined) return stored;
    if (round % REPORTED_EVERY === 0) options.report(`${stored.deployments.length} ended; left: ${left}`);
    if (performance.now() > deadline) throw new Error(`expected the end of everything, found ${left}`);
  }
}

const ROUND_MS = 1_000;
const RECONCILED_EVERY = 15;
const REPORTED_EVERY = 30;

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
}

function whatIsLeft({ stack }: StormOptions, { lanes, deployments }: StoredStorm, running: number): string | undefined {
  const alive = lanes.flatMap(({ running: now, manual, merged }) => [...(now ? [now] : []), ...manual, ...merged]);
  const ended = new Set(deployments.map(({ id }) => id));
  const untold = stack.github
    .checkRuns(STORM_NAME)
    .filter(({ externalId, status }) => status !== 'completed' && ended.has(externalId));
  if (alive.length + running + untold.length === 0) return undefined;
  const examples = alive
    .slice(0, 5)
    .map(({ root, progress }) => `${root.name} ${progress.status} ${progress.reason ?? ''}`);
  return `${alive.length} deployments (${examples.join('; ')}), ${running} webhooks, ${untold.length} check runs behind`;
}

/** Counts the webhooks that are being processed, and the deployments that run. */
async function countRunning({ workflow }: Client): Promise<number> {
  const query = "ExecutionStatus = 'Running' AND WorkflowType IN ('intake', 'terraform')";
  return (await workflow.count(query)).count;
}

async function auditOf({ storage }: Stack): Promise<readonly AuditEvent[]> {
  return (await storage.auditTrail()).filter(({ repository }) => repository === STORM_NAME);
}

async function longestHistoryOf({ workflow }: Client): Promise<number> {
  const lengths: number[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: "WorkflowType = 'deploy'" })) {
    lengths.push((await workflow.getHandle(workflowId, runId).describe()).historyLength);
  }
  return Math.max(...lengths);
}

async function connect(address: string): Promise<{ readonly client: Client } & AsyncDisposable> {
  const connection = await Connection.connect({ address });
  return { client: new Client({ connection }), [Symbol.asyncDispose]: () => connection.close() };
}
