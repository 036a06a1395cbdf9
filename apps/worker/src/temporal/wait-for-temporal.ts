import pRetry from 'p-retry';
import type { Logger } from 'pino';

/** Compose and clusters start services in any order, and the first start takes a minute or two to set up databases. */
const PATIENCE_MS = 5 * 60_000;

const PAUSE_MS = 2_000;

/** Repeats work that needs Temporal until Temporal is there. Throws the last failure when patience ends, and a bug at once. */
export function waitForTemporal<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  return pRetry(work, {
    retries: Infinity,
    maxRetryTime: PATIENCE_MS,
    minTimeout: PAUSE_MS,
    factor: 1,
    shouldRetry: ({ error }) => {
      logger.warn({ reason: error.message }, 'waiting for Temporal');
      return true;
    },
  });
}
