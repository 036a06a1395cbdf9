/** Faults of a server that pass within seconds, such as a restarting load balancer, are waited out where they happen. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface BriefRetries {
  /** No attempt begins later than this after the first failure: a longer outage is left to the caller. */
  readonly forMs: number;
  readonly isPassing: (error: unknown) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** One request in three may fail, and an attempt makes three: the first retries come at once, so that many fit. */
const FIRST_WAIT_MS = 100;

const LONGEST_WAIT_MS = 2_000;

/** Throws the last failure, or the signal's reason. */
export async function retryBriefly<T>(attempt: () => Promise<T>, retries: BriefRetries): Promise<T> {
  const { forMs, isPassing, signal } = retries;
  let lastStart = Number.POSITIVE_INFINITY;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      lastStart = Math.min(lastStart, performance.now() + forMs);
      if (!isPassing(error) || performance.now() + waitMs > lastStart) throw error;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
