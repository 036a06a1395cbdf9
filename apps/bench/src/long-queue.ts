/**
 * One lane with a thousand waiting deployments, on a Temporal server with PostgreSQL: how much later its head is applied and the next
 * one planned than in a lane where one waits, and the size of what is kept.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { laneWorkflowId, type LaneView } from '@nereid/domain/lane';
import { MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Stack } from '@nereid/local/stack';
import { UNSEALED } from '@nereid/process';
import { createLaneRecords, openObjectStore } from '@nereid/storage';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { readMemory } from './temporal/memory.ts';
import { withRealTemporal } from './temporal/real-temporal.ts';
import { scaled } from './temporal/scale.ts';
import { timed } from './timing.ts';

export interface LongQueueBench {
  readonly waiting: number;
  /** Milliseconds from the first of the pushes until all of them wait in the lane. */
  readonly queuedMs: number;
  /** Milliseconds from Confirm until the next one is planned: while one waits, and while all do. */
  readonly alone: number;
  readonly head: number;
  /** MiB of the worker: before, and while all wait. */
  readonly memory: { readonly before: number; readonly after: number };
  /** Of the lane's current run. */
  readonly historyEvents: number;
  readonly historyKib: number;
  /** KiB of the lane's record, and of the answer that lists what waits. */
  readonly recordKib: number;
  readonly viewKib: number;
}

/** As many as a lane takes. */
const WAITING = 1_000;

/** Three times as long as it takes. */
const DEADLINE_MS = 1_200_000;
const POLL_MS = 100;
/** The answer of a lane has a megabyte. */
const LOOK_MS = 2_000;

const ROOTS = rootNames(1);
const [ROOT = ''] = ROOTS;
const LANE = laneWorkflowId(SAMPLE, ROOT);

export function benchLongQueue(env: NodeJS.ProcessEnv): Promise<LongQueueBench> {
  const waiting = scaled(WAITING, env);
  return withRealTemporal({ env, planReview: 'required' }, async ({ stack }) => {
    await stack.github.createRepository({
      ...SAMPLE,
      files: rootFiles(ROOTS, stack.folders.state),
      collaborators: { alice: 'write' },
    });
    await using opened = new AsyncDisposableStack();
    const connection = await Connection.connect({ address: stack.temporalAddress });
    opened.defer(() => connection.close());
    const { workflow } = new Client({ connection, dataConverter: UNSEALED });
    const first = await push(stack, 1);
    await isPlanned(workflow, first);
    const second = await push(stack, 2);
    await hasWaiting(workflow, 1);
    const [alone] = await timed(() => confirm(stack, workflow, first, second));
    const { worker: before } = await readMemory();
    const [queuedMs, third] = await timed(() => pushAll(stack, workflow, waiting));
    const { worker: after } = await readMemory();
    const sizes = await sizesOf(stack, workflow);
    const [head] = await timed(() => confirm(stack, workflow, second, third));
    return { waiting, queuedMs, alone, head, memory: { before, after }, ...sizes };
  });
}

function push({ github }: Stack, round: number): Promise<string> {
  const files = changeOf(ROOTS, round);
  return github.commit({ repository: SAMPLE_NAME, branch: 'main', files, message: `Change ${round}`, author: 'alice' });
}

/** Returns the first of them. */
async function pushAll(stack: Stack, workflow: WorkflowClient, count: number): Promise<string> {
  const first = await push(stack, 3);
  for (let round = 4; round < 3 + count; round += 1) await push(stack, round);
  await hasWaiting(workflow, count);
  return first;
}

async function confirm({ github }: Stack, workflow: WorkflowClient, sha: string, next: string): Promise<void> {
  const button = () => {
    const run = github
      .checkRuns(SAMPLE_NAME, sha)
      .find(({ actions }) => actions.some(({ label }) => label === 'Confirm'));
    const identifier = run?.actions.find(({ label }) => label === 'Confirm')?.identifier;
    return run === undefined || identifier === undefined ? undefined : { id: run.id, identifier };
  };
  const { id, identifier } = await github.waitFor(button, { what: 'a plan to confirm', deadlineMs: DEADLINE_MS });
  github.pressButton(id, identifier, 'alice');
  await isPlanned(workflow, next);
}

/** Asks Temporal and not GitHub, which shows a thousand check runs within minutes only. */
function isPlanned(workflow: WorkflowClient, sha: string): Promise<void> {
  const query = `WorkflowType = '${WORKFLOW.terraform}' AND ${SEARCH_ATTRIBUTE.revision} = '${sha}' AND ${SEARCH_ATTRIBUTE.state} = 'awaiting-review'`;
  return until(`the plan of ${sha}`, POLL_MS, async () => (await workflow.count(query)).count > 0);
}

function hasWaiting(workflow: WorkflowClient, count: number): Promise<void> {
  return until(`${count} waiting deployments`, LOOK_MS, async () => (await viewOf(workflow)).waiting.length >= count);
}

function viewOf(workflow: WorkflowClient): Promise<LaneView> {
  return workflow.getHandle(LANE).query<LaneView>(MESSAGE.lane);
}

async function until(what: string, everyMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`expected ${what} within ${DEADLINE_MS} ms`);
    await pause(everyMs);
  }
}

const KIB = 1_024;

async function sizesOf(
  { folders }: Stack,
  workflow: WorkflowClient,
): Promise<Pick<LongQueueBench, 'historyEvents' | 'historyKib' | 'recordKib' | 'viewKib'>> {
  const { historyLength, historySize = 0 } = await workflow.getHandle(LANE).describe();
  const store = await openObjectStore(`file:${folders.storage}`);
  try {
    const stored = await createLaneRecords(store).read(SAMPLE, ROOT);
    const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null)) / KIB;
    return {
      historyEvents: historyLength,
      historyKib: historySize / KIB,
      recordKib: bytes(stored?.record),
      viewKib: bytes(await viewOf(workflow)),
    };
  } finally {
    store.close();
  }
}
