/** Gives every activity of a host a heartbeat that names the step, and an abort signal when it has to stop. */
import { Context } from '@temporalio/activity';
import type { HostHeartbeat } from '@nereid/domain/activities';
import type { AtWork } from '@nereid/domain/host';
import { StopRequest } from '@nereid/subprocess';

/** A quarter of the heartbeat timeout. Each heartbeat is paid for, and nobody waits for one: `stopOnHost` stops the work at once. */
export const HEARTBEAT_MS = 15_000;

/** `everything`: any cancellation, as nobody will use the result. `asked`: a person's cancel or the host's shutdown only. */
export type StoppedBy = 'everything' | 'asked';

export interface Steps {
  readonly signal: AbortSignal;
  /** Sends a heartbeat that names the step, at once. */
  at(step: string): void;
}

/** Called with each step that is over. */
export type OnStep = (step: string, durationMs: number) => void;

export interface SaidOfSteps {
  readonly onStep?: OnStep | undefined;
  /** What each heartbeat says of the host. */
  readonly atWork?: AtWork | undefined;
}

/**
 * Does the work of the current activity. `shutdown` is the host's own signal: Temporal cancels an activity only once, so work
 * that goes on after a cancellation (a lapsed heartbeat) would never hear from Temporal that the worker stops.
 */
export async function withSteps<T>(
  stoppedBy: StoppedBy,
  shutdown: AbortSignal,
  work: (steps: Steps) => Promise<T>,
  { onStep, atWork }: SaidOfSteps = {},
): Promise<T> {
  const context = Context.current();
  const cancelled = new AbortController();
  let [step, since] = ['starting', performance.now()];
  const beat = () => {
    context.heartbeat({ step, ...atWork } satisfies HostHeartbeat);
  };
  const onCancel = () => {
    const request = stopRequest(context, stoppedBy);
    if (request !== undefined) cancelled.abort(request);
  };
  const timer = setInterval(beat, HEARTBEAT_MS);
  context.cancellationSignal.addEventListener('abort', onCancel);
  if (context.cancellationSignal.aborted) onCancel();
  try {
    return await work({
      signal: AbortSignal.any([cancelled.signal, shutdown]),
      at(next) {
        onStep?.(step, performance.now() - since);
        [step, since] = [next, performance.now()];
        beat();
      },
    });
  } finally {
    onStep?.(step, performance.now() - since);
    clearInterval(timer);
    context.cancellationSignal.removeEventListener('abort', onCancel);
  }
}

/** Whether anybody will read the result of the current activity: not after the server gave it up. */
export function isAnswerAwaited(): boolean {
  const details = Context.current().cancellationDetails;
  return details === undefined || details.cancelRequested || details.workerShutdown;
}

/** A lapsed heartbeat, a timeout and a terminated workflow all come as `notFound`, which must not interrupt an apply. */
function stopRequest(context: Context, stoppedBy: StoppedBy): StopRequest | undefined {
  const details = context.cancellationDetails;
  if (details?.workerShutdown) return new StopRequest('host-shutting-down');
  if (details?.cancelRequested || stoppedBy === 'everything') return new StopRequest('cancelled');
  return undefined;
}
