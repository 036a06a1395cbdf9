/** Commits that this host may lack, while a person waits in front of a button. */
import { fullName, type Repository } from '@nereid/domain/root';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerContext } from '../platform/context.ts';

/** A person waits for about this long; a first fetch of a large repository takes minutes. */
const FETCH_MS = 20_000;

/** It goes on, for the next press. */
export class StillFetchingError extends Error {
  override readonly name = 'StillFetchingError';
  readonly code = 'STILL_FETCHING';

  constructor(repository: Repository) {
    super(
      `it is not known yet who brought this change: ${fullName(repository)} is being fetched; press again in some minutes`,
    );
  }
}

/** Throws `StillFetchingError`. */
export async function fetchBriefly(
  { mirrors }: Pick<WorkerContext, 'mirrors'>,
  repository: Repository,
  shas: readonly string[],
): Promise<void> {
  const waiting = new AbortController();
  // Without the signal of the caller, whose end would end the fetch.
  const fetched = mirrors.fetch(repository, shas).then(() => true);
  try {
    const isThere = await Promise.race([fetched, sleep(FETCH_MS, false, { signal: waiting.signal })]);
    if (!isThere) throw new StillFetchingError(repository);
  } finally {
    waiting.abort();
  }
}
