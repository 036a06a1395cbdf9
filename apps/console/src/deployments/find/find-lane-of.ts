/**
 * Finds the lane of a deployment of which somebody knows no more than the id. Temporal knows those that run or ran lately, the lanes
 * those that wait, and the lists of the last days those that Temporal has forgotten.
 */
import type { LaneName } from '@nereid/domain/console';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { ReadFleet } from '../../fleet/fleet.ts';
import { underWay } from '../../fleet/lane-deployments.ts';
import { inTime } from '../../platform/in-time.ts';
import type { Asked } from '../../platform/temporal/asked.ts';
import type { FindLane } from '../../platform/temporal/find-lane.ts';
import { daysOf } from '../../trail/days.ts';
import type { TrailReaders } from '../../trail/readers.ts';

export interface LaneSources {
  readonly findLane: FindLane;
  readonly readFleet: ReadFleet;
  readonly trail: Pick<TrailReaders, 'readEnded'>;
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** As far back as rollouts are found. A lane's page has older ones. */
const DAYS_SEARCHED = 14;

/** `unavailable`: a source that may know it did not answer. */
export async function findLaneOf(sources: LaneSources, id: string): Promise<Asked<LaneName>> {
  const asked = await sources.findLane(id);
  if (asked.kind === 'found') return asked;
  const picture = await sources.readFleet();
  const held = underWay(picture).find((one) => one.id === id)?.lane;
  const lane = held ?? picture.lanes.find(({ latest }) => latest?.deploymentId === id);
  if (lane !== undefined) return found(lane);
  const ended = await findEnded(sources, id);
  if (ended.kind !== 'absent') return ended;
  const isSilent = asked.kind === 'unavailable' || picture.unavailable.includes('storage');
  return { kind: isSilent ? 'unavailable' : 'absent' };
}

async function findEnded({ trail, patienceMs, logger }: LaneSources, id: string): Promise<Asked<LaneName>> {
  try {
    const days = daysOf({ days: DAYS_SEARCHED, nowMs: Date.now() });
    // All at once: a storage that hangs is waited for only once.
    const read = pMap(days, (day) => trail.readEnded(day), { concurrency: DAYS_SEARCHED });
    for (const ended of await inTime(read, patienceMs)) {
      const lane = ended.find((one) => one.id === id)?.lane;
      if (lane !== undefined) return found(lane);
    }
    return { kind: 'absent' };
  } catch (error) {
    logger.warn({ err: error }, 'what has ended cannot be read');
    return { kind: 'unavailable' };
  }
}

function found({ owner, name, rootName }: LaneName): Asked<LaneName> {
  return { kind: 'found', value: { owner, name, rootName } };
}
