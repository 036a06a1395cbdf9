/**
 * Whether it is a deployment's turn to be applied, by what storage knows of its lane. The lane itself decides this earlier and
 * for more reasons; but whoever reaches Temporal can tell a lane anything. Pure.
 */
import type { Deployment, EndedStatus, LaneTurn, Lock, TakenTurn } from '@nereid/contracts';
import { isByHand } from '../gate/needs-review.ts';
import { lockWhenEnded, lockWhenPopped } from './lock.ts';

/** How the last apply of a lane ended. */
export interface EndOfTurn {
  readonly status: EndedStatus;
  /** ISO 8601. */
  readonly at: string;
}

/** The lock of the lane after its last apply has ended like this, unless a person lifted it. */
export function lockAfter(
  { deployment, at }: TakenTurn,
  end: EndOfTurn,
  unlocked: LaneTurn['unlocked'],
): Lock | undefined {
  const locked = unlessUnlocked(lockWhenPopped(deployment, deployment.foundLock, at), unlocked);
  return unlessUnlocked(lockWhenEnded(deployment, end.status, locked, end.at), unlocked);
}

/** A lock that was set after that permission still holds. */
export function unlessUnlocked(lock: Lock | undefined, unlocked: LaneTurn['unlocked']): Lock | undefined {
  return lock !== undefined && unlocked !== undefined && unlocked.at >= lock.at ? undefined : lock;
}

/** Whether a newer commit of the branch was applied: this one would take its changes away, unless the history was rewritten. */
export function goesBack(
  deployment: Pick<Deployment, 'trigger' | 'rerun' | 'revision'>,
  { deployment: last }: TakenTurn,
): boolean {
  if (isByHand(deployment) || isByHand(last)) return false;
  const [own, latest] = [deployment.revision, last.revision];
  if (own.branch !== latest.branch || own.sha === latest.sha) return false;
  return own.position <= latest.position;
}
