import { setTimeout as pause } from 'node:timers/promises';

/** A server with 512 shards starts slowly on a slow machine; after two minutes a person has to look. */
const DEADLINE_MS = 120_000;
const PAUSE_MS = 1_000;

/** Tries until it works: the server may still be starting, and all its parts know a new namespace only after a while. */
export async function retry(what: string, work: () => Promise<void>, deadlineMs = DEADLINE_MS): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (performance.now() > deadline)
        throw new Error(`${what} could not be set up within ${deadlineMs} ms: ${why}`, { cause: error });
      await pause(PAUSE_MS);
    }
  }
}
