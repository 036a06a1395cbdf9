/** Runs work with the same key one after the other, and work with different keys side by side. */
export type Serialise = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function createSerialise(): Serialise {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(run);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
