/** Rollouts of the last days: from the lanes, and from what has ended. */
import type { RolloutDetail, RolloutList } from '@nereid/api';
import type { EndedDeployment } from '@nereid/contracts';
import { isOfBranch } from '@nereid/lane';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { Picture, ReadFleet } from '../fleet/fleet.ts';
import { withCutTexts } from '../fleet/fleet-lane.ts';
import { inTime } from '../in-time.ts';
import { daysOf } from '../insights/sum-up.ts';
import type { ReadDay } from '../trail/day-cache.ts';
import { rolloutOf, rolloutsOf, type Told } from './rollout-of.ts';

export interface RolloutSources {
  readonly readFleet: ReadFleet;
  /** What has ended on a day. */
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly githubUrl: string;
  /** How long the page waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly nowMs: number;
}

/** What rollouts need of a deployment that ended. */
export type Ended = Told & { readonly endedAt: string };

export function endedOf(ended: EndedDeployment): Ended {
  const {
    id,
    repository,
    rootName,
    revision,
    trigger,
    rerun,
    requestedBy,
    receivedAt,
    times,
    status,
    carrier,
    endedAt,
  } = ended;
  const lane = { owner: repository.owner, name: repository.name, rootName };
  const brief = { id, revision, trigger, rerun, requestedBy, receivedAt, times, status, ...(carrier && { carrier }) };
  return { ...withCutTexts(brief), lane, endedAt };
}

/** People look for the merges of these days; a lane's page has older ones. */
const DAYS_LISTED = 3;
const DAYS_SEARCHED = 14;
const LISTED = 50;

export async function listRollouts(sources: RolloutSources): Promise<RolloutList> {
  const { told, unavailable } = await gather(sources, DAYS_LISTED);
  return { items: rolloutsOf(told.filter(isOfBranch)).slice(0, LISTED), unavailable };
}

/** `unavailable`: a day that could not be read may know it. */
export async function findRollout(
  sources: RolloutSources,
  repository: string,
  sha: string,
): Promise<RolloutDetail | 'absent' | 'unavailable'> {
  const { told, unavailable } = await gather(sources, DAYS_SEARCHED);
  const found = rolloutOf(told, { repository, sha }, sources.githubUrl);
  if (found) return { ...found, unavailable };
  return unavailable.includes('storage') ? 'unavailable' : 'absent';
}

interface Gathered {
  readonly told: readonly Told[];
  readonly unavailable: ('storage' | 'temporal')[];
}

async function gather(sources: RolloutSources, days: number): Promise<Gathered> {
  const { readFleet, readEnded, patienceMs, logger, nowMs } = sources;
  const picture = await readFleet();
  const unavailable = new Set(picture.unavailable);
  const read = async (day: string): Promise<readonly Told[]> => {
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

/** What has left its lane moments ago comes first: its end, once that is known, is newer. */
export function underWay({ lanes, departed }: Picture): readonly Told[] {
  const gone = departed.map(({ lane, deployment }) => ({ ...deployment, lane }));
  const held = lanes.flatMap(({ running, waiting, ...lane }) =>
    [...(running ? [running] : []), ...waiting].map((one) => ({ ...one, lane })),
  );
  return [...gone, ...held];
}
