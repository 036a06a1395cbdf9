/** Rollouts of the last days: from the lanes, and from what has ended. */
import type { RolloutDetail, RolloutList } from '@nereid/api';
import { fullName, type EndedDeployment } from '@nereid/contracts';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { Picture, ReadFleet } from '../fleet/fleet.ts';
import { daysOf } from '../insights/sum-up.ts';
import type { ReadDay } from '../trail/day-cache.ts';
import { rolloutOf, rolloutsOf, type Told } from './rollout-of.ts';

export interface RolloutSources {
  readonly readFleet: ReadFleet;
  /** What has ended on a day. */
  readonly readEnded: ReadDay<readonly Ended[]>;
  readonly githubUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly nowMs: number;
}

/** What rollouts need of a deployment that ended. */
export type Ended = Told & { readonly endedAt: string };

export function endedOf(ended: EndedDeployment): Ended {
  const { id, repository, rootName, revision, trigger, rerun, requestedBy, receivedAt, status, endedAt } = ended;
  const lane = { owner: repository.owner, name: repository.name, rootName };
  return { id, revision, trigger, rerun, requestedBy, receivedAt, status, lane, endedAt };
}

/** People look for the merges of these days; a lane's page has older ones. */
const DAYS_LISTED = 3;
const DAYS_SEARCHED = 14;
const LISTED = 50;

export async function listRollouts(sources: RolloutSources): Promise<RolloutList> {
  const { told, unavailable } = await gather(sources, DAYS_LISTED);
  const onBranch = told.filter(({ trigger, rerun }) => trigger === 'merge' || rerun);
  return { items: rolloutsOf(onBranch).slice(0, LISTED), unavailable };
}

/** Undefined for a revision of which these days know no deployment. */
export async function findRollout(
  sources: RolloutSources,
  repository: string,
  sha: string,
): Promise<RolloutDetail | undefined> {
  const { told, unavailable } = await gather(sources, DAYS_SEARCHED);
  const ofIt = told.filter(({ lane, revision }) => revision.sha === sha && fullName(lane) === repository);
  const found = rolloutOf(ofIt, sources.githubUrl);
  return found && { ...found, unavailable };
}

interface Gathered {
  readonly told: readonly Told[];
  readonly unavailable: ('storage' | 'temporal')[];
}

async function gather({ readFleet, readEnded, logger, nowMs }: RolloutSources, days: number): Promise<Gathered> {
  const picture = await readFleet();
  const unavailable = new Set(picture.unavailable);
  const read = async (day: string): Promise<readonly Told[]> => {
    try {
      return await readEnded(day);
    } catch (error) {
      logger.warn({ err: error, day }, 'what has ended on a day cannot be read');
      unavailable.add('storage');
      return [];
    }
  };
  const ended = await pMap(daysOf({ days, nowMs }), read, { concurrency: DAYS_AT_ONCE });
  return { told: [...underWay(picture), ...ended.flat()], unavailable: [...unavailable] };
}

const DAYS_AT_ONCE = 8;

/** What has left its lane moments ago comes first: its end, once that is known, is newer. */
export function underWay({ lanes, departed }: Picture): readonly Told[] {
  const gone = departed.map(({ lane, deployment }) => ({ ...deployment, lane }));
  const held = lanes.flatMap(({ running, waiting, ...lane }) =>
    [...(running ? [running] : []), ...waiting].map((one) => ({ ...one, lane })),
  );
  return [...gone, ...held];
}
