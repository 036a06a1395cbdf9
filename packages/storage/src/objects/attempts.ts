import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLimits } from './call-limits.ts';

/**
 * Calls, and calls again while the failure may pass: within the limits, and with a pause before each further attempt. A call
 * gets a controller, whose signal aborts when the time of its attempt is up, and the number of the attempt, from 1.
 */
export async function attemptCall<T>(
  limits: CallLimits,
  mayPass: (error: unknown) => boolean,
  call: (controller: AbortController, attempt: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + limits.callMs;
  for (let attempt = 1; ; attempt += 1) {
    const controller = new AbortController();
    try {
      return await inTime(controller, Math.min(limits.answerMs, end - performance.now()), () =>
        call(controller, attempt),
      );
    } catch (error) {
      // Half of it by chance, so that many who failed together do not come back together.
      const pauseMs = limits.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      if (attempt >= limits.attempts || !mayPass(error) || performance.now() + pauseMs >= end) throw error;
      await sleep(pauseMs);
    }
  }
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
