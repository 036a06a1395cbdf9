/** How long a page waits for storage. A bucket answers within a second, even where it has to be listed first. */
export const STORAGE_PATIENCE_MS = 5_000;

/** The storage has not answered in time. */
export class SlowStorageError extends Error {
  override readonly name = 'SlowStorageError';
  readonly code = 'SLOW_STORAGE';

  constructor(waitedMs: number) {
    super(`expected an answer of the storage within ${Math.round(waitedMs)} ms, found none: it may be away, or busy`);
  }
}

/** Throws `SlowStorageError` when it takes longer. The question itself goes on, for those who ask later. */
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

/** For everything that one page asks the storage, one after the other or at once. */
export interface Patience {
  /** Throws `SlowStorageError` when there is no answer in time, and without asking when the time is over. */
  ask<T>(question: () => Promise<T>): Promise<T>;
  isOver(): boolean;
}

/** What is left then is too short for any answer. */
const OVER_SHARE = 0.05;

/** No question takes more than half of the time that is left, so that one that hangs leaves some for others. */
export function createPatience(patienceMs: number): Patience {
  const endMs = performance.now() + patienceMs;
  const leftMs = () => endMs - performance.now();
  const isOver = () => leftMs() < OVER_SHARE * patienceMs;
  return {
    isOver,
    async ask(question) {
      if (isOver()) throw new SlowStorageError(0);
      return inTime(question(), leftMs() / 2);
    },
  };
}
