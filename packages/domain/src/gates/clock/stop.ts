/** A person has stopped a repository, or a part of it: nothing begins until that ends, or somebody ends it. */
import { fullName, type Repository } from '../../root/repository.ts';
import type { Signed } from '../../signed.ts';
import { PASSES, type Gate } from '../gate.ts';
import type { BreakGlass } from '../../plan/break-glass.ts';

/** A person's word, as control signs it. */
export interface Stop {
  readonly version: 1;
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** Globs of directories; empty for the whole repository. */
  readonly directories: readonly string[];
  readonly reason: string;
  /** Login on the forge. */
  readonly by: string;
  readonly byId?: number;
  /** ISO 8601, both. */
  readonly at: string;
  readonly until: string;
}

export interface StopFacts {
  /** Those that are about the root, and proven. */
  readonly stops: readonly (Pick<Stop, 'repository' | 'by' | 'reason'> & {
    /** In epoch milliseconds. */
    readonly until: number;
    /** "Mon 08:00 UTC". */
    readonly said: string;
  })[];
  /** There may be others: the record of them cannot be read. Absent for false. */
  readonly hasUnknown?: boolean;
  /** A person lets the deployment pass. Proven; only where the record of stops can be read. */
  readonly glass?: Signed<BreakGlass>;
}

/** Why it cannot be read is for the operator. */
const UNKNOWN =
  'Nereid cannot read who has stopped the repository; the log of the worker says why. A thaw of the repository ends all stops';

export const gateOfStop = {
  doors: ['plan', 'apply'],
  waitAtApply: 'keeps waiting',
  decide({ stops, hasUnknown, glass }, now) {
    if (hasUnknown) return { kind: 'waits', sentence: UNKNOWN, who: ['thaw'] };
    if (glass !== undefined) return PASSES;
    const [last] = stops.filter(({ until }) => until > now).toSorted((one, other) => other.until - one.until);
    if (last === undefined) return PASSES;
    const { repository, by, reason, until, said } = last;
    const sentence = `Stopped by ${by} until ${said}: ${reason}. nereid thaw ${fullName(repository)} ends it`;
    return { kind: 'waits', sentence, who: ['thaw'], until };
  },
} as const satisfies Gate<StopFacts>;
