/** The stops that pages besides `/stops` speak of: in force, verified, and in sight of the person who looks. */
import type { PoolStop, Stop } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { AccessUnknownError } from '../access-unknown.ts';
import { isSameName } from '../repository-access.ts';
import { inTime, SlowStorageError } from '../../platform/in-time.ts';
import type { ReadStops } from './read-stops.ts';

export type ShownStop = Stop | PoolStop;

/** Pages are loaded far more often than anything is stopped. */
const FRESH_MS = 10_000;

/** Storage answers within milliseconds; a page is there without its note. */
const PATIENCE_MS = 500;

/** Those of all repositories and of pools first. None while storage is away, or nobody can say what the person may see. */
export async function findShownStops(sight: { readonly readStops: ReadStops }): Promise<readonly ShownStop[]> {
  return (await findStopsAndGlass(sight)).stops;
}

interface StopsAndGlass {
  readonly stops: readonly ShownStop[];
  /** Those that let a deployment pass stops and windows. */
  readonly glass: readonly Signed<BreakGlass>[];
}

/** The same with the exceptions to them. */
export async function findStopsAndGlass(sight: { readonly readStops: ReadStops }): Promise<StopsAndGlass> {
  try {
    const known = await inTime(sight.readStops(FRESH_MS), PATIENCE_MS);
    if (known?.areVerified !== true) return NONE;
    const { ofPools, ofRepositories } = known;
    return {
      stops: [...(ofPools?.stops ?? []), ...ofRepositories.flatMap(({ stops }) => stops)],
      glass: ofRepositories.flatMap(({ glass }) => glass),
    };
  } catch (error) {
    if (error instanceof AccessUnknownError || error instanceof SlowStorageError) return NONE;
    throw error;
  }
}

const NONE: StopsAndGlass = { stops: [], glass: [] };

/** Without those of other repositories. `repository` is `owner/name`. */
export function stopsAround(stops: readonly ShownStop[], repository: string): readonly ShownStop[] {
  return stops.filter((stop) => 'pool' in stop || isSameName(fullName(stop.repository), repository));
}
