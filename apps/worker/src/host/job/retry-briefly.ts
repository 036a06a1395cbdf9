import { setTimeout as delay } from 'node:timers/promises';

/** With the pauses between them ten seconds: what is away for longer needs somebody else, or another host. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Asks a store again that may only be away for a moment; throws its last failure. */
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
