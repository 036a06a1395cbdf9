/** Everything about one lane, now or as of a time. */
import type { LaneDetail } from '@nereid/api';
import type { LaneName } from '@nereid/github';
import { isDeployed } from '@nereid/lane';
import type { Logger } from 'pino';
import { keyOf, type ReadFleet } from './fleet.ts';
import type { EndedInLane, ReadHistory } from './lane-history.ts';
import { briefOf, laneSummaryOf } from './lane-summary.ts';

const QUEUE_SHOWN = 100;

export interface LaneSources {
  readonly readFleet: ReadFleet;
  readonly readHistory: ReadHistory;
  readonly githubUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Undefined for a lane that nobody knows. A storage that does not answer takes the history away, and not the page. */
export async function findLaneDetail(
  { readFleet, readHistory, githubUrl, logger }: LaneSources,
  name: LaneName,
  asOf: string | undefined,
): Promise<LaneDetail | undefined> {
  const picture = await readFleet();
  const lane = picture.lanes.find((one) => keyOf(one) === keyOf(name));
  if (lane === undefined) return undefined;
  const unavailable = new Set(picture.unavailable);
  const ended = await readHistory(name, asOf).catch((error: unknown): readonly EndedInLane[] => {
    logger.warn({ err: error, ...name }, 'the history of a lane cannot be read');
    unavailable.add('storage');
    return [];
  });
  const then = asOf === undefined ? undefined : ended.find(({ status }) => isDeployed(status));
  return {
    ...laneSummaryOf(lane, githubUrl),
    queue: lane.waiting.slice(0, QUEUE_SHOWN).map((one) => briefOf(one, lane, githubUrl)),
    history: ended.map((one) => ({ ...briefOf(one, lane, githubUrl), endedAt: one.endedAt })),
    ...(asOf !== undefined && { asOf }),
    ...(then && { deployedThen: deployedBy(then) }),
    unavailable: [...unavailable],
  };
}

function deployedBy({ id, revision, endedAt, trigger, status }: EndedInLane): NonNullable<LaneDetail['deployedThen']> {
  return { deploymentId: id, sha: revision.sha, at: endedAt, trigger, status };
}
