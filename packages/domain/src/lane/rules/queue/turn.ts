/**
 * Whether it is a deployment's turn to be applied, by what storage knows of its lane. The lane itself decides this earlier and
 * for more reasons; but whoever reaches Temporal can tell a lane anything. Pure.
 */
import type { Lock } from '../../../deployment/lock.ts';
import type { EndedStatus } from '../../../deployment/status.ts';
import { isByHand } from '../../../gates/needs-review.ts';
import { leftStateOf, type LeftState } from '../../../plan/other-state.ts';
import type { LaneTurn, Locking, TakenTurn } from '../../turn.ts';
import { hasHappened, lockWhenEnded, lockWhenPopped } from './lock.ts';

/** How the last apply of a lane ended. */
export interface EndOfTurn {
  readonly status: EndedStatus;
  /** ISO 8601. */
  readonly at: string;
}

/** The lock that a deployment left when its turn ended like this. */
export function lockAfter(
  { deployment, at, lifted }: Omit<TakenTurn, 'pool' | 'jobIds'>,
  end: EndOfTurn,
): Lock | undefined {
  if (lifted === 'after its end') return undefined;
  const locked = lifted === undefined ? lockWhenPopped(deployment, deployment.foundLock, at) : undefined;
  return lockWhenEnded(deployment, end.status, locked, end.at);
}

/** The state that there is when the last turn ended like this. An apply that failed may not know whether it made one. */
export function stateAfter(
  { last, state }: Pick<LaneTurn, 'last' | 'state'>,
  end: Pick<EndOfTurn, 'status'>,
): LeftState | undefined {
  if (last === undefined || !hasHappened(end.status)) return state;
  const { plan } = last;
  // An earlier release gave that permission.
  if (plan === undefined) return undefined;
  return leftStateOf(plan, plan.hasChanges && end.status === 'succeeded') ?? state;
}

/**
 * Whether two deployments are of one branch: then the second has to contain the first. A manual deployment is a commit of any
 * branch, and needs a review for that reason.
 */
export function areOfOneBranch(
  one: Pick<Locking, 'trigger' | 'rerun' | 'revision'>,
  other: Pick<Locking, 'trigger' | 'rerun' | 'revision'>,
): boolean {
  return !isByHand(one) && !isByHand(other) && one.revision.branch === other.revision.branch;
}
