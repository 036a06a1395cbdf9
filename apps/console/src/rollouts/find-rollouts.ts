/** Rollouts of the last days: from the lanes, and from what has ended. */
import type { RolloutDetail, RolloutList, RolloutSummary } from '@nereid/api';
import type { Pages } from '@nereid/forge';
import { defined } from '@nereid/domain/defined';
import { isOfBranch } from '@nereid/domain/lane';
import { awaitedByRoot, wavesByRoot } from '@nereid/domain/rollout';
import type { RolloutRecords } from '@nereid/storage';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { ReadFleet } from '../fleet/fleet.ts';
import { underWay, type LaneDeployment } from '../fleet/lane-deployments.ts';
import { inTime } from '../platform/in-time.ts';
import type { ReadDay } from '../trail/day-cache.ts';
import { daysOf } from '../trail/days.ts';
import type { Ended } from '../trail/ended.ts';
import { nextWaveOf, type ReadChecked } from './next-wave.ts';
import { rolloutOf, rolloutsOf } from './rollout-of.ts';

export interface RolloutSources {
  readonly readFleet: ReadFleet;
  /** What has ended on a day. */
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly forgePages: Pages;
  /** How long the page waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly nowMs: number;
}

/** Also of the order of its roots, and of its waves. */
export interface OneRolloutSources extends RolloutSources {
  readonly rolloutRecords: Pick<RolloutRecords, 'ofRevision'>;
  readonly readChecked: ReadChecked;
}

/** People look for the merges of these days; a lane's page has older ones. */
const DAYS_LISTED = 3;
const DAYS_SEARCHED = 14;
const LISTED = 50;

export async function listRollouts(sources: RolloutSources): Promise<RolloutList> {
  const { told, unavailable } = await findDeploymentsOfDays(sources);
  return { items: [...rolloutsAmong(told)], unavailable };
}

/** The newest first. */
export function rolloutsAmong(told: readonly LaneDeployment[]): readonly RolloutSummary[] {
  return rolloutsOf(told.filter(isOfBranch)).slice(0, LISTED);
}

/** Those that run, wait, or ended in the days for which rollouts are listed. */
export function findDeploymentsOfDays(sources: RolloutSources): Promise<Gathered> {
  return gather(sources, DAYS_LISTED);
}

/** `unavailable`: a day that could not be read may know it. */
export async function findRollout(
  sources: OneRolloutSources,
  repository: string,
  sha: string,
): Promise<RolloutDetail | 'absent' | 'unavailable'> {
  const { told, unavailable } = await gather(sources, DAYS_SEARCHED);
  const found = rolloutOf(told, { repository, sha }, sources.forgePages);
  if (found) return withOrder(sources, { ...found, unavailable });
  return unavailable.includes('storage') ? 'unavailable' : 'absent';
}

/** Which roots wait for which, and how the next wave stands. A page without it is better than none. */
async function withOrder(
  { rolloutRecords, readChecked, patienceMs, logger }: OneRolloutSources,
  rollout: RolloutDetail,
): Promise<RolloutDetail> {
  const { sha, deployments, unavailable } = rollout;
  const [owner = '', name = ''] = rollout.repository.split('/');
  try {
    const rollouts = await inTime(rolloutRecords.ofRevision({ owner, name }, sha), patienceMs);
    const names = new Set(deployments.map(({ rootName }) => rootName));
    const awaited = awaitedByRoot(rollouts, (rootName) => names.has(rootName));
    const waves = wavesByRoot(rollouts);
    const withBefore = (one: RolloutDetail['deployments'][number]) => {
      const { named = [], count = 0 } = awaited.get(one.rootName) ?? {};
      const wave = waves.get(one.rootName);
      return { ...one, waitsFor: [...named], waitsForCount: count, ...defined({ wave }) };
    };
    const nextWave = await inTime(nextWaveOf(rollout, rollouts, readChecked), patienceMs).catch((error: unknown) => {
      logger.warn({ err: error, sha }, 'how the next wave of a rollout stands cannot be read');
    });
    return { ...rollout, ...nextWave, deployments: deployments.map(withBefore) };
  } catch (error) {
    logger.warn({ err: error, sha }, 'the order of the roots of a rollout cannot be read');
    return { ...rollout, unavailable: [...new Set([...unavailable, 'storage' as const])] };
  }
}

interface Gathered {
  readonly told: readonly LaneDeployment[];
  readonly unavailable: ('storage' | 'temporal')[];
}

async function gather(sources: RolloutSources, days: number): Promise<Gathered> {
  const { readFleet, readEnded, patienceMs, logger, nowMs } = sources;
  const picture = await readFleet();
  const unavailable = new Set(picture.unavailable);
  const read = async (day: string): Promise<readonly LaneDeployment[]> => {
    try {
      return await inTime(readEnded(day), patienceMs);
    } catch (error) {
      logger.warn({ err: error, day }, 'what has ended on a day cannot be read');
      unavailable.add('storage');
      return [];
    }
  };
  // All at once: a storage that hangs is waited for only once.
  const ended = await pMap(daysOf({ days, nowMs }), read, { concurrency: DAYS_SEARCHED });
  return { told: [...underWay(picture), ...ended.flat()], unavailable: [...unavailable] };
}
