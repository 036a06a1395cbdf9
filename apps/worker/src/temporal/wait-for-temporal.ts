import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Compose and clusters start services in any order, and the first start takes a minute or two to set up databases. */
const PATIENCE_MS = 5 * 60_000;

const PAUSE_MS = 2_000;

/** Repeats work that needs Temporal until Temporal is there; throws the last failure when patience ends. */
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
