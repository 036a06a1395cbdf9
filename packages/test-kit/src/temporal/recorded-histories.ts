/**
 * The recorded histories of workflows. Each state in which an upgrade may find a workflow has a file, in a folder for each
 * release: `<workflow>-<state>.json`, in Temporal's own JSON form, so that Temporal's tools can read it too.
 */
import type { WorkflowHandle } from '@temporalio/client';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installQuietRuntime } from './quiet-runtime.ts';

export interface RecordedHistory {
  /** The folder: a release, or `unreleased`. */
  readonly release: string;
  /** `<workflow>-<state>`. */
  readonly name: string;
  /** The workflow's name. */
  readonly workflow: string;
  /** In the form that Temporal's worker replays. */
  readonly history: History;
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

interface RecordedEvent {
  readonly eventType: string;
  readonly workflowExecutionStartedEventAttributes?: { readonly workflowType: { readonly name: string } };
}

/** Fails when two tests record the same state, because one of the histories would be lost. */
export async function recordHistory(
  folder: string,
  state: string,
  handle: Pick<WorkflowHandle, 'fetchHistory'>,
): Promise<void> {
  const events = await eventsAtRest(handle);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${workflowOf(events)}-${state}.json`);
  await writeFile(file, `${JSON.stringify({ events }, withoutMachine, 1)}\n`, { flag: 'wx' });
}

/** Reads all histories in the folders of `folder`, ordered by release. */
export async function readRecordedHistories(folder: string): Promise<readonly RecordedHistory[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json')).toSorted();
  return await Promise.all(
    files.map(async (file) => {
      const events = parse(await readFile(path.join(folder, file), 'utf8'));
      const { dir, name } = path.parse(file);
      return { release: dir, name, workflow: workflowOf(events), history: historyFromJSON({ events }) };
    }),
  );
}

/**
 * Replays histories with the workflows of this checkout, one after the other. Returns, for the name of each, the first difference
 * between them, or undefined.
 */
export async function replayRecorded(
  histories: readonly RecordedHistory[],
  bundle: string,
): Promise<ReadonlyMap<string, Error | undefined>> {
  installQuietRuntime({ showsErrors: true });
  const named = histories.map((recorded) => ({ workflowId: nameOf(recorded), history: recorded.history }));
  const results = new Map<string, Error | undefined>();
  try {
    // One worker for all: each would take its time to read the code.
    for await (const { workflowId, error } of Worker.runReplayHistories(
      { workflowBundle: { codePath: bundle } },
      named,
    ))
      results.set(workflowId, error);
  } finally {
    globalHandlers.uninstall();
  }
  return results;
}

/** Of one history among those of all releases: `<release>/<workflow>-<state>`. */
export function nameOf({ release, name }: RecordedHistory): string {
  return `${release}/${name}`;
}

/** A worker answers a task within milliseconds; only a hang takes minutes. */
const AT_REST_WITHIN_MS = 120_000;
const POLL_MS = 10;

/** A query may see a state that no event shows until the worker has answered the task that led to it. */
async function eventsAtRest(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<readonly RecordedEvent[]> {
  const deadline = Date.now() + AT_REST_WITHIN_MS;
  while (Date.now() < deadline) {
    const events = parse(historyToJSON(await handle.fetchHistory()));
    const lastTask = events.findLast(({ eventType }) => eventType.startsWith('EVENT_TYPE_WORKFLOW_TASK_'));
    if (lastTask?.eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') return events;
    await setTimeout(POLL_MS);
  }
  throw new Error(`waited ${AT_REST_WITHIN_MS} ms in vain for a workflow to come to rest, to record its history`);
}

function parse(json: string): readonly RecordedEvent[] {
  const { events } = JSON.parse(json) as { readonly events: readonly RecordedEvent[] }; // Temporal's library wrote it.
  return events;
}

function workflowOf([started]: readonly RecordedEvent[]): string {
  const type = started?.workflowExecutionStartedEventAttributes?.workflowType.name;
  if (type === undefined) throw new Error('expected a history to begin with the start of its workflow');
  return type;
}

/** Processes, paths, builds and counters of the machine that recorded the history; no replay looks at them. */
const OF_THE_MACHINE = new Set(['identity', 'stackTrace', 'taskId', 'workerVersion']);

/** A replacer for `JSON.stringify`. */
function withoutMachine(key: string, value: unknown): unknown {
  if (OF_THE_MACHINE.has(key)) return undefined;
  // A worker's own queue is named after its process and host.
  return isSticky(value) ? { ...value, name: 'sticky' } : value;
}

function isSticky(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'TASK_QUEUE_KIND_STICKY';
}
