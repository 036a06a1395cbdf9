import { createBoundedWork, StillRunningError } from '../../platform/bounded-work.ts';
import type { WorkerContext } from '../../platform/context.ts';

/** All steps end before Temporal cuts off their activity, after ten minutes: it would lose its list of stuck workflows. */
const STEP_MS = 60_000;

export interface Step<Result> {
  /** For the log; no two steps have the same. */
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<Result>;
}

/**
 * Runs a step of the watch, so that one that fails or hangs holds up none of the others. Returns undefined for such a step: the next
 * watch runs it again, once it has ended in this process. Throws only when `signal` is aborted.
 */
export type RunStep = <Result>(step: Step<Result>, signal: AbortSignal) => Promise<Result | undefined>;

export function createRunStep({ logger }: Pick<WorkerContext, 'logger'>, limitMs = STEP_MS): RunStep {
  const work = createBoundedWork();
  return async ({ name, run }, signal) => {
    try {
      return await work.run(name, run, { limitMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error, step: name }, error instanceof StillRunningError ? STILL_RUNS : FAILED);
      return undefined;
    }
  };
}

const FAILED = 'a step of the watch has failed; the next watch runs it again';
const STILL_RUNS = 'a step of an earlier watch still runs; it does not begin again before it has ended';
