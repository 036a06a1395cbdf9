/** A wave of a merge's roots begins when the waves before it are done, and have soaked. Control gathers how they stand. */
import type { Repository } from '../../root/repository.ts';
import { PASSES, type Gate } from '../gate.ts';
import { waitsForFacts, type Unreadable } from '../waits/unreadable.ts';
import { describeWave, type WaveBefore } from './describe-wave.ts';

/** A person's word, as control signs it: the waves after this one do not wait for it. */
export interface SkippedSoak {
  readonly version: 1;
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The id of the `Rollout`. */
  readonly rollout: string;
  /** From 1. */
  readonly wave: number;
  readonly reason: string;
  /** Login on the forge. */
  readonly by: string;
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}

export interface SoakFacts {
  /** The first wave before that of the root that is not over; absent when all are. */
  readonly before?: WaveBefore & {
    /** The next wave is another one, so its end does not let this deployment go. Absent for false. */
    readonly isFurtherAhead?: true;
  };
  /** Why nobody can read how the waves stand. */
  readonly unreadable?: Unreadable;
}

const CANNOT_READ = 'Nereid cannot read how the waves of this merge stand';

export const gateOfSoak = {
  doors: ['plan', 'apply'],
  waitAtApply: 'keeps waiting',
  decide({ before, unreadable }, now) {
    if (unreadable !== undefined) return waitsForFacts(CANNOT_READ, 'storage or the forge', unreadable);
    if (before === undefined) return PASSES;
    const { standing, isFurtherAhead, number: wave } = before;
    const wait = { kind: 'waits', sentence: describeWave(before), wave } as const;
    switch (standing.kind) {
      case 'open':
        return { ...wait, who: ['other lanes', 'skip_soak'] };
      case 'checking':
        return { ...wait, who: ['operators', 'skip_soak'] };
      case 'halted':
      case 'check-failed':
        return { ...wait, who: ['rerun', 'skip_soak'] };
      case 'soaking': {
        const { until, checks } = standing;
        if (isFurtherAhead) return { ...wait, who: ['other lanes', 'skip_soak'] };
        // Nobody knows when they pass.
        if (checks !== undefined) return { ...wait, who: ['operators', 'skip_soak'] };
        return until <= now ? PASSES : { ...wait, who: ['skip_soak'], until };
      }
    }
  },
} as const satisfies Gate<SoakFacts>;
