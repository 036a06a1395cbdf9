/**
 * What an installation has asked within the last minute, in GitHub's points: a read is one, a write five. GitHub takes
 * 900 a minute.
 */
export interface Points {
  /** Takes a request into account; the answer takes it out again. */
  spend(points: number): () => void;
  /** How long until a request of so many points stays within the limit; 0: not at all. */
  waitMs(points: number, limit: number): number;
}

export const READ_POINTS = 1;
export const WRITE_POINTS = 5;

const MINUTE_MS = 60_000;

/** `now` is a clock in milliseconds. */
export function createPoints(now: () => number = Date.now): Points {
  let spent: { readonly at: number; points: number }[] = [];
  /** What is older than a minute does not count. Answers since when it does. */
  const forget = (): number => {
    const since = now() - MINUTE_MS;
    spent = spent.filter((entry) => entry.at > since && entry.points > 0);
    return since;
  };
  return {
    spend(points) {
      const entry = { at: now(), points };
      forget();
      spent.push(entry);
      return () => {
        entry.points = 0;
      };
    },
    waitMs(points, limit) {
      const since = forget();
      let excess = spent.reduce((sum, entry) => sum + entry.points, points) - limit;
      if (excess <= 0) return 0;
      // The oldest are forgotten first.
      for (const entry of spent) {
        excess -= entry.points;
        if (excess <= 0) return entry.at - since;
      }
      return MINUTE_MS;
    },
  };
}
