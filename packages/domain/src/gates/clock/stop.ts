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
    const inForce = stops.filter(({ until }) => until > now).toSorted((one, other) => other.until - one.until);
    const [last] = inForce;
    if (last === undefined) return PASSES;
    const who = [...new Set(inForce.flatMap(whoThaws))];
    return { kind: 'waits', sentence: describeStops(inForce), who, until: last.until };
  },
} as const satisfies Gate<StopFacts>;

type StopFact = StopFacts['stops'][number];

/** The others are in the list of stops. */
const STOPS_NAMED = 3;

/** Of several stops, each reason has about a line. */
const REASON_SHOWN = 60;

/** "Stopped by bob until Mon 08:00 UTC: a migration. Stopped by ada until Sun 08:00 UTC: an audit. nereid thaw acme/infra ends all of them". */
function describeStops(stops: readonly StopFact[]): string {
  const named = stops.slice(0, STOPS_NAMED);
  const unnamed = stops.length - named.length;
  const limit = stops.length === 1 ? Infinity : REASON_SHOWN;
  const parts = named.map((stop) => describeStop(stop, limit));
  const more = unnamed === 0 ? [] : [`There are ${unnamed} more: nereid stops lists them`];
  const thaws = [...new Set(stops.map(thawOf))];
  const ends = thaws.length === 1 ? `ends ${stops.length === 1 ? 'it' : 'all of them'}` : 'end all of them';
  return `${[...parts, ...more].join('. ')}. ${thaws.join(' and ')} ${ends}`;
}

function describeStop(stop: StopFact, limit: number): string {
  const { by, said, reason } = stop;
  const shown = reason.length > limit ? `${reason.slice(0, limit)}…` : reason;
  return `${subjectOf(stop)} by ${by} until ${said}: ${shown}`;
}

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
