import { LRUCache } from 'lru-cache';

/** Answers that are good for a moment: the readers of one page, and the next look of the same reader, ask for the same. */
export interface BriefMemory<T> {
  /** `isKept`: false for an answer that is soon another one. A failure is not remembered. */
  ask(key: string, question: () => Promise<T>, isKept?: (answer: T) => boolean): Promise<T>;
}

/** `limit`: the number of answers; those that were not asked for the longest are forgotten. */
export function createBriefMemory<T>(forMs: number, limit: number): BriefMemory<T> {
  const known = new LRUCache<string, Promise<T>>({ max: limit, ttl: forMs, perf: Date });
  return {
    async ask(key, question, isKept = () => true) {
      const before = known.get(key);
      if (before !== undefined) return before;
      const asked = question();
      // To the cache, no time is for ever.
      if (forMs > 0) known.set(key, asked);
      const forget = () => known.peek(key) === asked && known.delete(key);
      try {
        const answer = await asked;
        if (!isKept(answer)) forget();
        return answer;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
