/** Whether a lease is still needed, by what storage knows: applies outlive their workers, and what Temporal says proves nothing. */
import { hasEnded, type BegunApply, type DeploymentRecord } from '@nereid/domain/deployment';
import type { BudgetDoor, Lease } from '@nereid/domain/gates';
import { hasHappened } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import type { WorkerContext } from '../../platform/context.ts';
import { isHeardOf } from '../hosts/why-no-host.ts';
import { overAt, type TurnRecords } from '../turn/end-of-turn.ts';

export type HeldRecords = TurnRecords & Pick<WorkerContext, 'hostRecords'>;

/** Whether a lease that may have lapsed is needed. */
export async function isHeld(context: HeldRecords, door: BudgetDoor, lease: Lease, now: number): Promise<boolean> {
  return door === 'plan' ? isPlanning(context, lease, now) : isApplying(context, lease, now);
}

/** Until the plan is made, which gives the lease back, a host of its pool says every few seconds that it is at work on it. */
async function isPlanning({ hostRecords }: HeldRecords, lease: Lease, now: number): Promise<boolean> {
  const { deploymentId, pool, until } = lease;
  if (now < Date.parse(until)) return true;
  // A host that was taken over says what it likes.
  if (now >= Date.parse(overAt({ at: until }))) return false;
  // Of a host whose record cannot be read, nobody knows what it does.
  const hosts = await hostRecords.list(() => undefined);
  return hosts.some(
    (host) => isHeardOf(host, now) && (host.pool ?? DEFAULT_POOL) === pool && host.runs?.includes(deploymentId),
  );
}

/**
 * Until its apply has begun, a lease lapses by itself; after that, a host's word or a person ends it. One of which nobody can read the
 * records holds up no other repository: it is kept until its apply is over, however it ended.
 */
async function isApplying(context: TurnRecords, lease: Lease, now: number): Promise<boolean> {
  try {
    return await isNeeded(context, lease, now);
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    return now < Date.parse(overAt({ at: lease.until }));
  }
}

async function isNeeded(context: TurnRecords, lease: Lease, now: number): Promise<boolean> {
  const { deploymentId, repository, rootName, pool } = lease;
  const marker = await context.begunApplies.of(pool).read(deploymentId);
  // Whoever has the permission to apply may still use it, also after the deployment has ended.
  if (marker === undefined) return now < Date.parse(lease.until);
  if (marker.overtakenBy !== undefined) return false;
  if (!isUnknown(marker, await context.deploymentRecords.find(repository, rootName, deploymentId))) return false;
  return now < Date.parse(overAt(marker)) && !(await isSettled(context, lease));
}

/** The apply has begun, and nobody has said how it ended. Another end was stored before it began, and anybody at Temporal may say it. */
function isUnknown({ outcome }: BegunApply, record: DeploymentRecord | undefined): boolean {
  if (outcome !== undefined && outcome.kind !== 'unknown') return false;
  const status = record?.deployment.progress.status;
  return status === undefined || !hasEnded(status) || !hasHappened(status) || status === 'apply-outcome-unknown';
}

/** A person has lifted the lock that it left, or another deployment had the turn of its lane since. */
async function isSettled({ laneTurns }: TurnRecords, { deploymentId, repository, rootName }: Lease): Promise<boolean> {
  const last = (await laneTurns.read(repository, rootName))?.last;
  return last !== undefined && (last.deployment.id !== deploymentId || last.lifted === 'after its end');
}
