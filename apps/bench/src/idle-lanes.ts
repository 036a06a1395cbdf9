/**
 * Ten thousand lanes that were deployed once and have nothing to do, on a Temporal server with PostgreSQL: what each costs the
 * worker, the server and the database. Each is started by the message that starts a lane that does not run, reads its record, and
 * waits.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Stack } from '@nereid/local/stack';
import { createLaneRecords, openObjectStore } from '@nereid/storage';
import { laneStart } from '@nereid/worker/start-lane';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { writeLanes, type WrittenLane } from './fleet/write-lanes.ts';
import { readMemory, type MemoryOf } from './temporal/memory.ts';
import { withRealTemporal } from './temporal/real-temporal.ts';
import { scaled } from './temporal/scale.ts';
import { timed } from './timing.ts';

export interface IdleLanesBench {
  readonly lanes: number;
  /** Milliseconds from the first message until all lanes wait. */
  readonly startedMs: number;
  /** MiB. */
  readonly memory: { readonly before: MemoryOf; readonly after: MemoryOf };
  readonly disk: { readonly before: number; readonly after: number };
  /** Of one lane. */
  readonly historyEvents: number;
  readonly historyBytes: number;
}

const LANES = 10_000;
const AT_ONCE = 30;

/** Buffers are written, and memory that nobody needs is given back. */
const REST_MS = 30_000;

/** Three times as long as it takes. */
const DEADLINE_MS = 1_200_000;
const POLL_MS = 500;

export function benchIdleLanes(env: NodeJS.ProcessEnv): Promise<IdleLanesBench> {
  const restMs = scaled(REST_MS, env);
  return withRealTemporal({ env, planReview: 'auto' }, async (real) => {
    const { stack } = real;
    const lanes = await storeLanes(stack, scaled(LANES, env));
    await using opened = new AsyncDisposableStack();
    const connection = await Connection.connect({ address: stack.temporalAddress });
    opened.defer(() => connection.close());
    const { workflow } = new Client({ connection });
    await pause(restMs);
    const [memoryBefore, diskBefore] = [await readMemory(), await real.diskMib()];
    const [startedMs] = await timed(() => startAll(workflow, lanes));
    await pause(restMs);
    const [memoryAfter, diskAfter] = [await readMemory(), await real.diskMib()];
    return {
      lanes: lanes.length,
      startedMs,
      memory: { before: memoryBefore, after: memoryAfter },
      disk: { before: diskBefore, after: diskAfter },
      ...(await historyOf(workflow, lanes)),
    };
  });
}

async function storeLanes({ folders }: Stack, count: number): Promise<readonly WrittenLane[]> {
  const store = await openObjectStore(`file:${folders.storage}`);
  try {
    return await writeLanes(createLaneRecords(store), count);
  } finally {
    store.close();
  }
}

const IDLE = `WorkflowType = '${WORKFLOW.deploy}' AND ${SEARCH_ATTRIBUTE.state} = 'idle' AND ExecutionStatus = 'Running'`;

async function startAll(workflow: WorkflowClient, lanes: readonly WrittenLane[]): Promise<void> {
  const left = [...lanes];
  const resume = { signal: MESSAGE.resume, signalArgs: [{ version: 1 }] };
  const sender = async () => {
    for (let lane = left.pop(); lane !== undefined; lane = left.pop())
      await workflow.signalWithStart(WORKFLOW.deploy, { ...laneStart(lane.repository, lane.rootName), ...resume });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const { count } = await workflow.count(IDLE);
    if (count >= lanes.length) return;
    if (performance.now() > deadline) throw new Error(`expected ${lanes.length} idle lanes, found ${count}`);
    await pause(POLL_MS);
  }
}

async function historyOf(
  workflow: WorkflowClient,
  [lane]: readonly WrittenLane[],
): Promise<Pick<IdleLanesBench, 'historyEvents' | 'historyBytes'>> {
  if (lane === undefined) return { historyEvents: 0, historyBytes: 0 };
  const { workflowId } = laneStart(lane.repository, lane.rootName);
  const { historyLength, historySize = 0 } = await workflow.getHandle(workflowId).describe();
  return { historyEvents: historyLength, historyBytes: historySize };
}
