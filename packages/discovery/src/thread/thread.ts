/** One thread, seen from outside: it is given a job, and what the job asks for. */
import { on } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RevisionTree } from '@nereid/git';
import { DiscoveryBudgetError } from '../errors.ts';
import { watchBudget, type Budget } from './budget.ts';
import { hasCode } from './error-code.ts';
import type { FromThread, Job, JobResult, ToThread, WhichTree } from './messages.ts';

export interface Task<J extends Job = Job> {
  readonly job: J;
  readonly trees: Readonly<Partial<Record<WhichTree, RevisionTree>>>;
  readonly signal: AbortSignal | undefined;
}

export type TaskEnd =
  { readonly kind: 'done'; readonly result: JobResult } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * V8 ends a thread at its limit, but the whole process when a single large request, such as the growth of a map, goes past it.
 * So the budget ends a thread long before.
 */
const LIMIT_OVER_BUDGET = 3;

export function startThread({ heapMb }: Budget): Worker {
  const thread = new Worker(path.join(import.meta.dirname, 'discovery-thread.ts'), {
    name: 'discovery',
    // Nothing in the environment is meant for code that reads what strangers wrote.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb * LIMIT_OVER_BUDGET },
  });
  // The job hears of it. Without a listener, an error would end the process.
  return thread.on('error', () => undefined);
}

/** Throws when the thread ended, or must be ended, because of the job: budget, abortion, crash. */
export async function runOn(thread: Worker, { job, trees, signal }: Task, budget: Budget): Promise<TaskEnd> {
  using watch = watchBudget(thread, budget);
  const stop = AbortSignal.any(signal ? [watch.signal, signal] : [watch.signal]);
  try {
    return await converse(thread, job, trees, stop);
  } catch (error) {
    stop.throwIfAborted();
    if (!hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) throw error;
    throw new DiscoveryBudgetError(`${budget.heapMb} MB of memory`, { cause: error });
  }
}

async function converse(thread: Worker, job: Job, trees: Task['trees'], signal: AbortSignal): Promise<TaskEnd> {
  const messages = on(thread, 'message', { signal, close: ['exit'] });
  const say = (message: ToThread) => thread.postMessage(message);
  let unreadable: { readonly error: unknown } | undefined;
  say({ kind: 'job', job });
  for await (const [message] of messages as AsyncIterable<[FromThread]>) {
    if (message.kind === 'done') return message;
    if (message.kind === 'failed') return { kind: 'failed', ...(unreadable ?? message) };
    try {
      say(await answerTo(message, trees[message.of]));
    } catch (error) {
      unreadable = { error };
      say({ kind: 'unreadable' });
    }
  }
  throw new Error('expected a thread of discovery to answer, found that it ended; try again');
}

async function answerTo(
  message: Extract<FromThread, { kind: 'list' | 'read' }>,
  tree: RevisionTree | undefined,
): Promise<ToThread> {
  if (tree === undefined) throw new Error(`expected a question about a known revision, found ${message.of}`);
  if (message.kind === 'list') return { kind: 'listing', listing: await tree.listing() };
  return { kind: 'contents', contents: await tree.contents(message.blobs) };
}
