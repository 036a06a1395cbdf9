/** The last locks of a lane that somebody lifted. A writer that still knows one of them does not set it again. */
import type { LiftedLock, Lock } from '../../../deployment/lock.ts';

/** How many lifted locks a lane remembers, for deployments that it has forgotten. */
export const LIFTED_LIMIT = 20;

/** Joins the lifted locks of two writers, in order. */
export function joinLifted(one: readonly LiftedLock[], other: readonly LiftedLock[]): readonly LiftedLock[] {
  const added = other.filter((lock) => !one.some((known) => isSameLock(known, lock)));
  if (added.length === 0) return one;
  return [...one, ...added].toSorted((a, b) => (a.liftedAt < b.liftedAt ? -1 : 1)).slice(-LIFTED_LIMIT);
}

/** A lock that another writer still knows, unless somebody has lifted it here. */
export function unlessLifted(lock: Lock | undefined, lifted: readonly LiftedLock[]): Lock | undefined {
  return lock === undefined || lifted.some((known) => isSameLock(known, lock)) ? undefined : lock;
}

function isSameLock(one: Lock, other: Lock): boolean {
  return one.deploymentId === other.deploymentId && one.kind === other.kind && one.at === other.at;
}
