/** Reviews that nobody answers for a while, so that they are open when something happens. */
import type { CheckRun } from '@nereid/github-stand-in';
import { until } from '../terrain.ts';

export interface OpenReviews {
  /** Whether nobody is to answer: so it is for the first of those that are asked about. */
  leavesOpen(run: Readonly<CheckRun>): boolean;
  /** Resolves when enough of them are open, with the ids of their deployments. */
  areOpen(): Promise<readonly string[]>;
  /** Has those answered, and leaves the next ones open. */
  goOn(): void;
  /** Has all of them answered. */
  end(): void;
}

export function createOpenReviews(count: number): OpenReviews {
  const answered = new Set<string>();
  let open = new Set<string>();
  let hasEnded = false;
  return {
    leavesOpen({ externalId: id }) {
      if (hasEnded || answered.has(id)) return false;
      if (open.size < count) open.add(id);
      return open.has(id);
    },
    async areOpen() {
      await until(
        `${count} open reviews`,
        () => Promise.resolve(open.size === count),
        () => String(open.size),
      );
      return [...open];
    },
    goOn() {
      for (const id of open) answered.add(id);
      open = new Set();
    },
    end() {
      hasEnded = true;
    },
  };
}
