/**
 * Whose turn it is to be applied in a lane, by what storage knows. The lane keeps the same order, but its workflow believes
 * whoever reaches Temporal: so leave to apply depends on this record, which only control and its own storage know.
 */
import {
  hasEnded,
  type Deployment,
  type LaneTurn,
  type Lock,
  type Repository,
  type TakenTurn,
} from '@nereid/contracts';
import { describeLock, goesBack, hasHappened, lockAfter, passes, unlessUnlocked, type EndOfTurn } from '@nereid/lane';
import type { BegunApply } from '@nereid/storage';
import type { WorkerContext } from '../context.ts';

export type TurnContext = Pick<WorkerContext, 'laneTurns' | 'begunApplies' | 'deploymentRecords'>;

/** A person has to lift the lock first. */
class LaneLockedError extends Error {
  override readonly name = 'LaneLockedError';
  readonly code = 'LANE_LOCKED';

  constructor(lock: Lock) {
    super(`the lane is locked by ${describeLock(lock)}: unlock it, then press Re-run`);
  }
}

/** It passes: the other apply ends. */
class NotItsTurnError extends Error {
  override readonly name = 'NotItsTurnError';
  readonly code = 'NOT_ITS_TURN';

  constructor(deploymentId: string, { hostId, at }: BegunApply) {
    super(`the apply of deployment ${deploymentId} began at ${at} on host ${hostId}, and has not ended`);
  }
}

/** It would take away the changes of a newer commit, and no person has looked at that. */
class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
  readonly code = 'OUTDATED';

  constructor({ deployment }: TakenTurn) {
    super(
      `a newer commit was applied to this root, ${deployment.revision.sha}: to go back, revert on the branch and merge`,
    );
  }
}

/**
 * Takes the turn for a deployment, or throws why it has none. The deployment that had it before and has not begun never will.
 * `isReviewed` says whether a person approved the plan, which the lane asks for where history was rewritten.
 */
export async function takeTurn(
  context: TurnContext,
  repository: Repository,
  deployment: Deployment,
  isReviewed: boolean,
): Promise<void> {
  const { id, revision, trigger, rerun, requestedBy, root, formerly, receivedAt } = deployment;
  await context.laneTurns.change(repository, root.name, async (turn) => {
    const last = turn?.last;
    if (last?.deployment.id === id) return undefined;
    if (last !== undefined && goesBack(deployment, last) && (rerun || !isReviewed)) throw new OutdatedError(last);
    const lock =
      last === undefined
        ? unlessUnlocked(formerly?.lock, turn?.unlocked)
        : lockAfter(last, await endOf(context, repository, last, id), turn?.unlocked);
    if (lock !== undefined && !passes(deployment, lock)) throw new LaneLockedError(lock);
    const { name, onFailure } = root;
    const foundLock = lock && { foundLock: lock };
    return {
      ...turn,
      last: {
        deployment: { id, revision, trigger, rerun, requestedBy, root: { name, onFailure }, ...foundLock },
        at: receivedAt,
      },
    };
  });
}

/** Remembers that a person may lift the lock of a lane: before the lane hears of it. */
export async function allowUnlock(
  { laneTurns }: Pick<TurnContext, 'laneTurns'>,
  repository: Repository,
  rootName: string,
  unlocked: NonNullable<LaneTurn['unlocked']>,
): Promise<void> {
  await laneTurns.change(repository, rootName, (turn) =>
    Promise.resolve(
      turn?.unlocked !== undefined && turn.unlocked.at >= unlocked.at ? undefined : { ...turn, unlocked },
    ),
  );
}

/** How the last turn ended. One that has not begun is over from now on. */
async function endOf(
  { begunApplies, deploymentRecords }: TurnContext,
  repository: Repository,
  { deployment }: TakenTurn,
  by: string,
): Promise<EndOfTurn> {
  const { id, root } = deployment;
  const overtaking = await begunApplies.overtake(id, by);
  if (overtaking.kind === 'begun' || overtaking.marker.overtakenBy !== undefined) return NOT_BEGUN;
  const { marker } = overtaking;
  if (marker.outcome !== undefined) return { status: STATUS[marker.outcome.kind], at: marker.endedAt ?? marker.at };
  // Its host could not tell storage, or is gone: then somebody waited for it, in vain.
  const record = await deploymentRecords.find(repository, root.name, id);
  if (record === undefined) throw new NotItsTurnError(id, marker);
  const { status } = record.deployment.progress;
  const isKnown = hasEnded(status) && hasHappened(status);
  return { status: isKnown ? status : 'apply-outcome-unknown', at: record.endedAt };
}

const STATUS = { applied: 'succeeded', failed: 'apply-failed', unknown: 'apply-outcome-unknown' } as const;

const NOT_BEGUN: EndOfTurn = { status: 'cancelled', at: '' };
