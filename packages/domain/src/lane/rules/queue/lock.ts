/**
 * A lock makes the deployments of a lane wait although nothing runs.
 *
 * A manual deployment locks the lane when it is popped: its changes are not on the default branch, and the next merge
 * would undo them. Its end never sets the lock again, so an unlock while it runs holds. If it ends before its apply
 * began, it restores the lock that it found, unless somebody unlocked meanwhile. A plan without changes counts as
 * applied. A rerun does not lock: its revision is on the default branch.
 *
 * A failed apply locks the lane for merged deployments if the root says `on_failure: halt`; manual deployments and reruns pass.
 * An apply whose outcome is unknown locks it for everything but a rerun of the same revision, because Terraform may still be
 * at work. A rerun of the lock's revision that takes effect lifts both locks.
 */
import { defined } from '../../../defined.ts';
import type { Lock } from '../../../deployment/lock.ts';
import type { DeploymentStatus, EndedStatus } from '../../../deployment/status.ts';
import type { Locking } from '../../turn.ts';

/** The lane's lock once this deployment is popped. */
export function lockWhenPopped(deployment: Locking, lock: Lock | undefined, at: string): Lock | undefined {
  if (deployment.trigger !== 'manual' || deployment.rerun) return lock;
  return lockOf('manual', deployment, at);
}

/** The lane's lock once this deployment has ended. */
export function lockWhenEnded(
  deployment: Locking,
  status: EndedStatus,
  lock: Lock | undefined,
  at: string,
): Lock | undefined {
  if (status === 'apply-outcome-unknown') return lockOf('outcome-unknown', deployment, at);
  if (status === 'apply-failed' && deployment.root.onFailure === 'halt') return lockOf('failed', deployment, at);
  if (!hasHappened(status) && lock?.deploymentId === deployment.id) return deployment.foundLock;
  if (hasHappened(status) && isLiftedBy(deployment, lock)) return undefined;
  return lock;
}

/** Whether a deployment took effect: its apply began, or there was nothing to apply. */
export function hasHappened(status: EndedStatus): boolean {
  return (
    status === 'succeeded' || status === 'no-changes' || status === 'apply-failed' || status === 'apply-outcome-unknown'
  );
}

/** Whether the root is as its revision says. */
export function isDeployed(status: DeploymentStatus): boolean {
  return status === 'succeeded' || status === 'no-changes';
}

/** A rerun that passed the lock of its own revision's failure has repaired that failure. */
function isLiftedBy(deployment: Locking, lock: Lock | undefined): boolean {
  return lock !== undefined && lock.kind !== 'manual' && deployment.revision.sha === lock.revision;
}

function lockOf(kind: Lock['kind'], deployment: Locking, at: string): Lock {
  const { id: deploymentId, revision, requestedBy: by, requestedById: byId } = deployment;
  return { kind, deploymentId, revision: revision.sha, by, ...defined({ byId }), at };
}
