import pRetry from 'p-retry';

/** The pauses add up to eight seconds. A longer outage is left to the caller, or to another host. */
const PATIENCE = { retries: 4, minTimeout: 1_000, factor: 1.5 } as const;

/** Repeats work on a store that may be away only for a moment; throws the last failure. */
export function retryBriefly<T>(work: () => Promise<T>): Promise<T> {
  return pRetry(work, PATIENCE);
}
