import { setTimeout as pause } from 'node:timers/promises';

/** Imports take seconds, and health is checked every ten. A deployment takes ten; a worker that was killed is missed after a minute. */
export const WITHIN_MS = 300_000;
const POLL_MS = 500;

/** Asks again and again. Throws with the last answer. */
export async function until<T>(what: string, ask: () => Promise<T>, pollMs = POLL_MS): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (performance.now() > deadline) throw new Error(`expected ${what}: ${String(cause)}`, { cause });
      await pause(pollMs);
    }
  }
}
