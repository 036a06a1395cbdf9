import { setTimeout as delay } from 'node:timers/promises';

/** The pauses add up to ten seconds. A longer outage is left to the caller, or to another host. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Repeats work on a store that may be away only for a moment; throws the last failure. */
export async function retryBriefly<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS * attempt);
    }
  }
}
