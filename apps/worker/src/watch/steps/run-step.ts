import type { WorkerContext } from '../../platform/context.ts';
import { whenAborted } from '../../platform/when-aborted.ts';

/** All steps end before Temporal cuts off their activity, after ten minutes: it would lose its list of stuck workflows. */
const STEP_MS = 60_000;

export interface Step<Result> {
  /** For the log. */
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<Result>;
}

/**
 * Runs a step of the watch, so that one that fails or hangs holds up none of the others. Returns undefined for such a step: the next
 * watch runs it again. Throws only when `signal` is aborted.
 */
export async function runStep<Result>(
  { logger }: Pick<WorkerContext, 'logger'>,
  { name, run }: Step<Result>,
  signal: AbortSignal,
  limitMs = STEP_MS,
): Promise<Result | undefined> {
  signal.throwIfAborted();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    return await Promise.race([run(limited), whenAborted(limited)]);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ err: error, step: name }, 'a step of the watch has failed; the next watch runs it again');
    return undefined;
  }
}
