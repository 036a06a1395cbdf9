/** How long a page waits for storage. A bucket answers within a second, even where it has to be listed first. */
export const STORAGE_PATIENCE_MS = 5_000;

/** The storage has not answered in time. */
export class SlowStorageError extends Error {
  override readonly name = 'SlowStorageError';
  readonly code = 'SLOW_STORAGE';

  constructor(waitedMs: number) {
    super(`expected an answer of the storage within ${waitedMs} ms, found none: it may be away, or busy`);
  }
}

/** Throws `SlowStorageError` when it takes longer. What was asked goes on, for those who come later. */
export async function inTime<T>(asked: Promise<T>, patienceMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new SlowStorageError(patienceMs));
  }, patienceMs);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
