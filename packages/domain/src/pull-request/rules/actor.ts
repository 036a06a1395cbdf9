/** A pull request, or a group of a merge queue, whose previews are looked after. It knows only what it has to look at or to show. */
import type { PullRequestInput } from '../model.ts';
import { NO_ENDS, type Ends } from './ends.ts';

export interface PullRequestActor {
  readonly input: PullRequestInput;
  readonly durations: PullRequestDurations;
  /** The forge has changed since the last look. */
  readonly hasNews: boolean;
  /** There was a look since the last write. */
  readonly isToShow: boolean;
  /** Roots that were deployed since the last look. */
  readonly deployed: readonly string[];
  readonly ends: Ends;
  /** When deployed roots were last planned again, in epoch milliseconds. */
  readonly plannedAgainAt: number;
  /** When a look that failed is tried again, in epoch milliseconds; undefined when none is. */
  readonly retryAt: number | undefined;
  /** Looks that failed in a row. */
  readonly failures: number;
  /** The effect that is under way; there is one at a time. */
  readonly work: 'look' | 'show' | undefined;
  /** Since when there has been nothing to do, in epoch milliseconds. */
  readonly idleSince: number | undefined;
  readonly isCancelled: boolean;
  /** What came of the last look, as a sentence. */
  readonly sentence: string;
}

/** In milliseconds. */
export interface PullRequestDurations {
  readonly idleMs: number;
  readonly deployedEveryMs: number;
  readonly othersMs: number;
}

const usual: PullRequestDurations = {
  /** Pushes come in bursts, and the ends of previews within seconds. */
  idleMs: 60_000,
  /** A busy root is planned again once a minute at most. */
  deployedEveryMs: 60_000,
  /** The previews of a pull request end within seconds of each other, and are shown together; a slow one does not hide the others. */
  othersMs: 10_000,
};

export function openPullRequest(input: PullRequestInput, now: number): PullRequestActor {
  const { idleMs, deployedEveryMs, othersMs } = { ...usual, ...input };
  return {
    input,
    durations: { idleMs, deployedEveryMs, othersMs },
    hasNews: input.hasNews === true,
    isToShow: false,
    deployed: input.deployed ?? [],
    ends: NO_ENDS,
    plannedAgainAt: -Infinity,
    retryAt: undefined,
    failures: 0,
    work: undefined,
    idleSince: now,
    isCancelled: false,
    sentence: '',
  };
}
