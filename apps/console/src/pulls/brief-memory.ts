/** Answers that are good for a moment: the readers of one page, and the next look of the same reader, ask for the same. */
export interface BriefMemory<T> {
  /** `isKept`: false for an answer that is soon another one. A failure is not remembered. */
  ask(key: string, question: () => Promise<T>, isKept?: (answer: T) => boolean): Promise<T>;
}

/** `limit`: the number of answers; the oldest are forgotten. */
export function createBriefMemory<T>(forMs: number, limit: number): BriefMemory<T> {
  const known = new Map<string, { readonly answer: Promise<T>; readonly until: number }>();
  return {
    async ask(key, question, isKept = () => true) {
      const before = known.get(key);
      if (before !== undefined && Date.now() < before.until) return before.answer;
      const asked = { answer: question(), until: Date.now() + forMs };
      known.delete(key);
      known.set(key, asked);
      const [oldest] = known.keys();
      if (known.size > limit && oldest !== undefined) known.delete(oldest);
      const forget = () => known.get(key) === asked && known.delete(key);
      try {
        const answer = await asked.answer;
        if (!isKept(answer)) forget();
        return answer;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
