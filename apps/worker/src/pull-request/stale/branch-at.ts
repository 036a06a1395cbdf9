/** How far the lane of a root is with the branch that it deploys. */
import type { Deployment } from '@nereid/domain/deployment';
import type { Latest } from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import { isByHand } from '@nereid/domain/gates';
import { isUnreadableRecord } from '@nereid/storage';
import type { WorkerContext } from '../../platform/context.ts';

type Context = Pick<WorkerContext, 'laneRecords' | 'deploymentRecords' | 'logger'>;

export interface BranchAt {
  /** The newest commit of the branch that the lane has and did not deploy yet; absent when there is none. */
  readonly undeployed?: string;
  /** The last deployment that changed the state, from the branch or not. */
  readonly latest?: Latest;
}

/**
 * It reads the records that are stored before anybody is told that a deployment has ended: its own record, or the lane's. A
 * manual deployment does not count: it may wait for its review for a week, and its end has the plans made again. An unreadable
 * record counts for nothing.
 */
export async function branchAt(context: Context, { repository, rootName, branch }: LaneOfBranch): Promise<BranchAt> {
  const read = () => readBranch(context, { repository, rootName, branch });
  return (await readLeniently(context, { repository, rootName, what: 'the lane' }, read)) ?? {};
}

/** The lane of a root, and the branch of which it is asked. */
export interface LaneOfBranch {
  readonly repository: Repository;
  readonly rootName: string;
  readonly branch: string;
}

async function readBranch(context: Context, { repository, rootName, branch }: LaneOfBranch): Promise<BranchAt> {
  const lane = (await context.laneRecords.read(repository, rootName))?.record;
  if (lane === undefined) return {};
  const { running, merged, manual, latest } = lane;
  const isOfBranch = (one: Deployment) => !isByHand(one) && one.revision.branch === branch;
  const newest = [...manual, ...merged].findLast(isOfBranch) ?? (await stillRunning(context, repository, running));
  const isUndeployed = newest !== undefined && isOfBranch(newest);
  return { ...(isUndeployed && { undeployed: newest.revision.sha }), ...(latest && { latest }) };
}

/** The lane hears of the end at the same time, and stores it a moment later: its record is among the last ones then. */
async function stillRunning(
  { deploymentRecords }: Context,
  repository: Repository,
  running: Deployment | undefined,
): Promise<Deployment | undefined> {
  if (running === undefined) return undefined;
  const last = await deploymentRecords.latest(repository, running.root.name, ENDS_READ);
  return last.some(({ deployment }) => deployment.id === running.id) ? undefined : running;
}

/** What it carried ends with it. */
const ENDS_READ = 5;

interface Asked {
  readonly repository: Repository;
  readonly rootName: string;
  readonly what: string;
}

/** Undefined, and a line in the log, for a record that cannot be read: plans are made without it. */
export async function readLeniently<T>(
  { logger }: Pick<Context, 'logger'>,
  { repository, rootName, what }: Asked,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    const fields = { err: error, repository: fullName(repository), root: rootName };
    logger.warn(fields, `${what} of a root cannot be read: its plans are made as if there were nothing`);
    return undefined;
  }
}
