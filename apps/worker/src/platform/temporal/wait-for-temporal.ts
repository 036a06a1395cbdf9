import { ConfigurationError } from '@nereid/config';
import pRetry from 'p-retry';
import type { Logger } from 'pino';

/** Compose and clusters start services in any order, and the first start takes a minute or two to set up databases. */
const PATIENCE_MS = 5 * 60_000;

const PAUSE_MS = 2_000;

/**
 * Repeats work that needs Temporal until Temporal is there. Throws the last failure when patience ends, and at once what waiting does
 * not mend: a bug, or a Temporal that somebody has to set up.
 */
export function waitForTemporal<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  return pRetry(work, {
    retries: Infinity,
    maxRetryTime: PATIENCE_MS,
    minTimeout: PAUSE_MS,
    factor: 1,
    shouldRetry: ({ error }) => {
      if (error instanceof ConfigurationError) return false;
      logger.warn({ reason: error.message }, 'waiting for Temporal');
      return true;
    },
  });
}
