/** Keeps the most recently used entries, up to a total weight. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

export interface BoundedCacheOptions<V> {
  readonly limit: number;
  /** The weight that an entry counts towards the limit. */
  readonly weigh: (value: V) => number;
}

export function createBoundedCache<V>({ limit, weigh }: BoundedCacheOptions<V>): BoundedCache<V> {
  // A Map iterates in the order of insertion. A used entry is inserted again, so the first one is the least recently used.
  const entries = new Map<string, V>();
  let weight = 0;

  const remove = (key: string, value: V): void => {
    entries.delete(key);
    weight -= weigh(value);
  };

  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      const before = entries.get(key);
      if (before !== undefined) remove(key, before);
      entries.set(key, value);
      weight += weigh(value);
      for (const [oldest, itsValue] of entries) {
        if (weight <= limit) break;
        remove(oldest, itsValue);
      }
    },
  };
}
