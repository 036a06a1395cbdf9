import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Compose and clusters start in any order, and a first start sets databases up for a minute or two. */
const PATIENCE_MS = 5 * 60_000;

const PAUSE_MS = 2_000;

/** Does what needs Temporal, again and again until Temporal is there; throws the last failure when patience ends. */
export async function waitForTemporal<T>(logger: Logger, work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'waiting for Temporal');
    }
    await sleep(PAUSE_MS);
  }
}
