/**
 * Whose turn it is to be applied in a lane, by what storage knows. The lane keeps the same order, but its workflow believes
 * whoever reaches Temporal: so permission to apply depends on this record, which only control writes.
 */
import { defined } from '@nereid/domain/defined';
import type { Deployment, Lock, BegunApply } from '@nereid/domain/deployment';
import {
  type LaneTurn,
  type Locking,
  type TakenTurn,
  areOfOneBranch,
  hasHappened,
  isDeployed,
  lockAfter,
  stateAfter,
} from '@nereid/domain/lane';
import { otherStateOf, type LeftState, type MadePlan } from '@nereid/domain/plan';
import { poolOf, type Repository } from '@nereid/domain/root';
import type { Commits } from '@nereid/forge';
import type { TurnChange } from '@nereid/storage';
import type { WorkerContext } from '../../platform/context.ts';
import { requireOpenGate } from '../../platform/failures/gate-closed.ts';
import { OvertakenError } from '../../platform/failures/overtaken.ts';
import { endOf, NotItsTurnError, type TurnRecords } from './end-of-turn.ts';
import { positionOf } from './lane-position.ts';
import { appliedSince, ReviewOutdatedError } from './review-outdated.ts';

export type TurnContext = TurnRecords & {
  readonly mirrors: Pick<WorkerContext['mirrors'], 'isKnownAncestor'>;
  readonly forge: { readonly commits: Pick<Commits, 'compare'> };
};

/** It would take away the changes of another commit, and no person has looked at that. */
class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
  readonly code = 'OUTDATED';

  constructor({ revision }: Locking) {
    super(`${revision.sha} was applied to this root, and this commit does not contain it: merge a new change instead`);
  }
}

/** The lane, which asks a person about such a plan, was told otherwise, or does not know. */
class OtherStateError extends Error {
  override readonly name = 'OtherStateError';
  readonly code = 'OTHER_STATE';

  constructor() {
    super(
      'the last deployment left another state than the one of this plan, which nobody has confirmed. If the backend has moved, move its state and press Re-run. Otherwise, use nereid deploy, which asks a person',
    );
  }
}

/** Plans that cannot be used are made again, and jobs that do not begin are begun again; but not for ever. */
class TooManyJobsError extends Error {
  override readonly name = 'TooManyJobsError';
  readonly code = 'TOO_MANY_JOBS';

  constructor() {
    super(
      `expected at most ${JOBS_LIMIT} jobs of one deployment that get permission to apply, found more: press Re-run`,
    );
  }
}

/** More than a deployment asks for: three for each of its five plans. */
const JOBS_LIMIT = 20;

export interface AskedTurn {
  readonly repository: Repository;
  readonly deployment: Deployment;
  readonly jobId: string;
  /** Signed by its host. */
  readonly plan: Pick<MadePlan, 'hasChanges' | 'stateVersion'>;
  /** Whether a person approved the plan, which the lane asks for where history was rewritten, or the state is another. */
  readonly isReviewed: boolean;
  /** Where the lane has to stand still, for a plan that was reviewed before the merge. */
  readonly lane?: string | undefined;
}

/**
 * Takes the turn for a deployment, or throws why it has none. The one before it that had permission and did not begin never will.
 * Returns whether an apply of the deployment began before, in another job: then this one will not.
 */
export async function acquireTurn(
  context: TurnContext,
  asked: AskedTurn,
  signal?: AbortSignal,
): Promise<{ readonly hasBegun: boolean }> {
  const { repository, deployment, jobId } = asked;
  const pool = poolOf(deployment.root);
  const own = await context.begunApplies.of(pool).read(deployment.id);
  if (own?.overtakenBy !== undefined) throw new OvertakenError(deployment.id, own.overtakenBy);
  await context.laneTurns.change(repository, deployment.root.name, async (turn) => {
    const last = turn?.last;
    if (last?.deployment.id === deployment.id) {
      refuseOtherState(asked, turn?.state);
      if (last.jobIds.includes(jobId)) return undefined;
      if (last.jobIds.length >= JOBS_LIMIT) throw new TooManyJobsError();
      return { ...turn, last: { ...last, jobIds: [...last.jobIds, jobId], plan: keptOf(asked) } };
    }
    const marker = last && (await context.begunApplies.of(last.pool).read(last.deployment.id));
    if (asked.lane !== undefined && asked.lane !== positionOf(last, marker))
      throw new ReviewOutdatedError(appliedSince(last?.deployment));
    const next = await nextTurn(context, asked, turn, marker, signal);
    // Only what gets permission ends the permission of the one before.
    if (last !== undefined && marker === undefined) await overtake(context, last, deployment.id);
    return next;
  });
  return { hasBegun: own !== undefined && own.jobId !== jobId };
}

async function nextTurn(
  context: TurnContext,
  asked: AskedTurn,
  turn: LaneTurn | undefined,
  marker: BegunApply | undefined,
  signal: AbortSignal | undefined,
): Promise<TurnChange> {
  const { repository, deployment, jobId, isReviewed } = asked;
  const last = turn?.last;
  const end = last && (await endOf(context, repository, last.deployment, marker));
  const applied = last && end && hasHappened(end.status) ? last.deployment : turn?.applied;
  const deployed = last && end && isDeployed(end.status) ? last.deployment : turn?.deployed;
  if (applied !== undefined && !(await follows(context, repository, applied, deployment, signal))) {
    if (deployment.rerun || !isReviewed) throw new OutdatedError(applied);
  }
  const state = turn && end ? stateAfter(turn, end) : turn?.state;
  const lock = last && end ? lockAfter(last, end) : unlessUnlocked(deployment.formerly?.lock, turn?.unlocked);
  requireOpenGate('turn', { deployment, lock });
  refuseOtherState(asked, state);

  const { id, revision, trigger, rerun, requestedBy, requestedById, root, orderedAt } = deployment;
  const { name, onFailure } = root;
  const at = between(orderedAt, last?.at);
  const isUnlocked = turn?.unlocked !== undefined && turn.unlocked.at >= at;
  return {
    ...turn,
    ...(applied && { applied }),
    ...(deployed && { deployed }),
    ...defined({ state }),
    last: {
      deployment: {
        id,
        revision,
        trigger,
        rerun,
        requestedBy,
        ...defined({ requestedById }),
        root: { name, onFailure },
        ...(lock && { foundLock: lock }),
      },
      pool: poolOf(root),
      at,
      jobIds: [jobId],
      plan: keptOf(asked),
      ...(isUnlocked && { lifted: 'before its end' }),
    },
  };
}

function refuseOtherState({ plan, isReviewed }: AskedTurn, left: LeftState | undefined): void {
  if (!isReviewed && otherStateOf(plan, left) !== undefined) throw new OtherStateError();
}

function keptOf({ plan: { hasChanges, stateVersion } }: AskedTurn): NonNullable<TakenTurn['plan']> {
  return { hasChanges, ...defined({ stateVersion }) };
}

/** A lock of a lane that was never applied: the one of its former name. */
function unlessUnlocked(lock: Lock | undefined, unlocked: LaneTurn['unlocked']): Lock | undefined {
  return lock !== undefined && unlocked !== undefined && unlocked.at >= lock.at ? undefined : lock;
}

/**
 * When it was ordered, but not before the last one, and not later than now, because clocks differ. When an order does not say, an
 * unlock from before now does not count for it: a person unlocks once more.
 */
function between(orderedAt: string | undefined, from = ''): string {
  const now = new Date().toISOString();
  const at = orderedAt === undefined || orderedAt > now ? now : orderedAt;
  return at < from ? from : at;
}

/**
 * Whether a deployment contains what was applied, as far as it has to. A worker that does not have both commits asks the forge: its
 * first fetch of a large repository takes minutes, and permission to apply cannot wait for that.
 */
async function follows(
  { mirrors, forge }: TurnContext,
  repository: Repository,
  applied: Locking,
  deployment: Deployment,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [before, own] = [applied.revision.sha, deployment.revision.sha];
  if (before === own || !areOfOneBranch(applied, deployment)) return true;
  const known = await mirrors.isKnownAncestor(repository, before, own, signal);
  return known ?? (await forge.commits.compare(repository, before, own)) === 'ahead';
}

/** It may have begun at this very moment. */
async function overtake(
  { begunApplies }: TurnContext,
  { pool, deployment: { id } }: TakenTurn,
  by: string,
): Promise<void> {
  const overtaking = await begunApplies.of(pool).overtake(id, by);
  if (overtaking.kind === 'found' && overtaking.marker.overtakenBy === undefined)
    throw new NotItsTurnError(id, overtaking.marker);
}
