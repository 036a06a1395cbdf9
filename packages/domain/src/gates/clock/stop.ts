/** A person has stopped a repository, a part of it, or a pool of hosts: nothing begins until that ends, or somebody ends it. */
import { fullName, type Repository } from '../../root/repository.ts';
import type { Unblocker } from '../../deployment/wait-reason.ts';
import type { Signed } from '../../signed.ts';
import { PASSES, type Gate } from '../gate.ts';
import { LOG_SAYS_WHY, waitsForFacts } from '../waits/unreadable.ts';
import type { BreakGlass } from '../../plan/break-glass.ts';

/** A person's word, as control signs it. */
export interface Stop extends StopTerms {
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** Globs of directories; empty for the whole repository. */
  readonly directories: readonly string[];
}

/** An operator's word about all roots of a pool, in whichever repository, as control signs it. */
export interface PoolStop extends StopTerms {
  /** The name of one, or `ALL_POOLS`. */
  readonly pool: string;
}

/** In place of the name of a pool: every root runs in one, so it stands for all repositories. No pool has this name. */
export const ALL_POOLS = '*';

interface StopTerms {
  readonly version: 1;
  readonly requestId: string;
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
  readonly stops: readonly (Stopped &
    Pick<StopTerms, 'by' | 'reason'> & {
      /** In epoch milliseconds. */
      readonly until: number;
      /** "Mon 08:00 UTC". */
      readonly said: string;
    })[];
  /** There may be others: this record of them cannot be read, or storage is away. */
  readonly unreadable?: UnreadableStops | 'away';
  /** A person lets the deployment pass. Proven; only where the records of stops can be read. */
  readonly glass?: Signed<BreakGlass>;
}

/** The repository or the pool that is stopped. */
type Stopped = Pick<Stop, 'repository'> | Pick<PoolStop, 'pool'>;

/** A record of stops, and whose. */
type UnreadableStops = Stopped & {
  /** Its key in storage. */
  readonly file: string;
};

export const gateOfStop = {
  doors: ['plan', 'apply'],
  waitAtApply: 'keeps waiting',
  decide({ stops, unreadable, glass }, now) {
    if (unreadable === 'away') return waitsForFacts(CANNOT_READ, 'storage', unreadable);
    if (unreadable !== undefined) return { kind: 'waits', sentence: sentenceOf(unreadable), who: whoThaws(unreadable) };
    if (glass !== undefined) return PASSES;
    const [last] = stops.filter(({ until }) => until > now).toSorted((one, other) => other.until - one.until);
    if (last === undefined) return PASSES;
    const { by, reason, until, said } = last;
    const sentence = `${subjectOf(last)} by ${by} until ${said}: ${reason}. ${thawOf(last)} ends it`;
    return { kind: 'waits', sentence, who: whoThaws(last), until };
  },
} as const satisfies Gate<StopFacts>;

function subjectOf(stopped: Stopped): string {
  return 'repository' in stopped ? 'Stopped' : `Stopped for ${describePool(stopped.pool)}`;
}

/** In sentences: all of them, or one. */
export function describePool(pool: string): string {
  return pool === ALL_POOLS ? 'all repositories' : `the pool ${pool}`;
}

const CANNOT_READ = 'Nereid cannot read who has stopped what';

function sentenceOf(unreadable: UnreadableStops): string {
  return `${CANNOT_READ}: ${unreadable.file} is broken; ${LOG_SAYS_WHY}. ${thawOf(unreadable)} replaces it, and ends all stops in it`;
}

/** The command that ends the stops. */
export function thawOf(stopped: Stopped): string {
  if ('repository' in stopped) return `nereid thaw ${fullName(stopped.repository)}`;
  return stopped.pool === ALL_POOLS ? 'nereid thaw --all' : `nereid thaw --pool ${stopped.pool}`;
}

function whoThaws(stopped: Stopped): readonly Unblocker[] {
  return ['repository' in stopped ? 'thaw' : 'thaw_pool'];
}
