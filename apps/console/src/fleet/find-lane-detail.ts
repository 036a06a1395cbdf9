/** Everything about one lane, now or as of a time. */
import type { LaneDetail } from '@nereid/api';
import { hasEnded } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import { isDeployed } from '@nereid/lane';
import type { DeploymentRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { briefly, keyOf, type Picture, type ReadFleet } from './fleet.ts';
import { briefOf, laneSummaryOf } from './lane-summary.ts';

const QUEUE_SHOWN = 100;
const HISTORY_SHOWN = 50;

export interface LaneSources {
  readonly readFleet: ReadFleet;
  readonly deploymentRecords: Pick<DeploymentRecords, 'latest'>;
  readonly githubUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Undefined for a lane that nobody knows. */
export async function findLaneDetail(
  sources: LaneSources,
  name: LaneName,
  asOf: string | undefined,
): Promise<LaneDetail | undefined> {
  const { githubUrl } = sources;
  const picture = await sources.readFleet();
  const lane = picture.lanes.find((one) => keyOf(one) === keyOf(name));
  if (lane === undefined) return undefined;
  const { ended, unavailable } = await historyOf(sources, name, asOf, picture);
  const history = ended.map(({ deployment, endedAt }) => ({
    ...briefOf(briefly(deployment), lane, githubUrl),
    endedAt,
  }));
  const then = asOf === undefined ? undefined : ended.find(({ deployment }) => isDeployed(deployment.progress.status));
  return {
    ...laneSummaryOf(lane, githubUrl),
    queue: lane.waiting.slice(0, QUEUE_SHOWN).map((one) => briefOf(one, lane, githubUrl)),
    history,
    ...(asOf !== undefined && { asOf }),
    ...(then && {
      deployedThen: {
        deploymentId: then.deployment.id,
        sha: then.deployment.revision.sha,
        at: then.endedAt,
        trigger: then.deployment.trigger,
      },
    }),
    unavailable,
  };
}

/** A storage that does not answer takes the history away, and not the page. */
async function historyOf(
  { deploymentRecords, logger }: LaneSources,
  name: LaneName,
  asOf: string | undefined,
  { unavailable }: Picture,
) {
  try {
    const by = asOf === undefined ? undefined : new Date(asOf);
    const found = await deploymentRecords.latest(name, name.rootName, HISTORY_SHOWN, by);
    return {
      ended: found.filter(({ deployment }) => hasEnded(deployment.progress.status)),
      unavailable: [...unavailable],
    };
  } catch (error) {
    logger.warn({ err: error, ...name }, 'the history of a lane cannot be read');
    return { ended: [], unavailable: [...new Set([...unavailable, 'storage' as const])] };
  }
}
