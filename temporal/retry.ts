import { setTimeout as pause } from 'node:timers/promises';

/** A server of 512 shards on a slow machine takes its time; after two minutes somebody has to look. */
const DEADLINE_MS = 120_000;
const PAUSE_MS = 1_000;

/** Tries until it works, because the server may still start and a new namespace is known to all of it only after a while. */
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
