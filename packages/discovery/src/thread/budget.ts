/** Ends a job that computes too long or takes too much memory. */
import type { Worker } from 'node:worker_threads';
import { DiscoveryBudgetError } from '../errors.ts';
import { hasCode } from './error-code.ts';

export interface Budget {
  /** CPU time of the thread, so that a busy machine does not count against a repository. */
  readonly computingMs: number;
  readonly heapMb: number;
}

/** Ten thousand roots that reach three hundred modules each take five seconds; the largest repositories that we know, half a second. */
export const BUDGET: Budget = { computingMs: 20_000, heapMb: 768 };

/** A thread fills some 100 MB meanwhile. */
const LOOK_EVERY_MS = 100;

const MB = 1024 * 1024;

export interface Watch extends Disposable {
  /** Aborted with a `DiscoveryBudgetError`. */
  readonly signal: AbortSignal;
}

/** Begins to count at its first look. */
export function watchBudget(thread: Worker, { computingMs, heapMb }: Budget): Watch {
  const controller = new AbortController();
  let start: NodeJS.CpuUsage | undefined;
  const look = async () => {
    const [cpu, heap] = await Promise.all([thread.cpuUsage(), thread.getHeapStatistics()]);
    start ??= cpu;
    const spentMs = (cpu.user + cpu.system - start.user - start.system) / 1_000;
    if (spentMs > computingMs) controller.abort(new DiscoveryBudgetError(`${computingMs / 1_000} s of computing`));
    if (heap.used_heap_size > heapMb * MB) controller.abort(new DiscoveryBudgetError(`${heapMb} MB of memory`));
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      // A thread that is starting or ending has no numbers; its job hears of the end by itself.
      if (!hasCode(error, 'ERR_WORKER_NOT_RUNNING')) controller.abort(error);
    });
  }, LOOK_EVERY_MS);
  return { signal: controller.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
