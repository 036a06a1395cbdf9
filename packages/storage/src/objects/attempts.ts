import pRetry from 'p-retry';
import type { CallLimits } from './call-limits.ts';

/**
 * Calls, and calls again while the failure may pass: within the limits, and with a pause before each further attempt. A call
 * gets a controller, whose signal aborts when the time of its attempt is up, and the number of the attempt, from 1.
 */
export function attemptCall<T>(
  limits: CallLimits,
  mayPass: (error: unknown) => boolean,
  call: (controller: AbortController, attempt: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + limits.callMs;
  const attemptOnce = (attempt: number) => {
    const controller = new AbortController();
    const leftMs = Math.min(limits.answerMs, end - performance.now());
    return inTime(controller, leftMs, () => call(controller, attempt));
  };
  return pRetry(attemptOnce, {
    retries: limits.attempts - 1,
    // Up to twice as long by chance, so that many who failed together do not come back together.
    minTimeout: limits.pauseMs / 2,
    randomize: true,
    // An attempt without time would hide why the one before it failed.
    shouldRetry: ({ error, attemptNumber }) =>
      mayPass(error) && performance.now() + limits.pauseMs * 2 ** (attemptNumber - 1) < end,
  });
}

/** Waits for the work, which is told by the controller when it takes too long. Rejects then, even if it goes on. */
export async function inTime<T>(controller: AbortController, ms: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException(`nothing came within ${Math.round(ms)} ms`, 'TimeoutError');
    // First, so that this is the failure, and not what the work makes of being aborted.
    late.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
