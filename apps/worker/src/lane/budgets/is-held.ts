/** Which leases are still needed, by what storage knows: applies outlive their workers, and what Temporal says proves nothing. */
import { hasEnded, type BegunApply, type DeploymentRecord } from '@nereid/domain/deployment';
import type { BudgetDoor, Lease, Leases } from '@nereid/domain/gates';
import { hasHappened } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { isHeardOf } from '../hosts/why-no-host.ts';
import { overAt, type TurnRecords } from '../turn/end-of-turn.ts';
import { LEASE_MS, type DoorBudget } from './door-budget.ts';

export type HeldRecords = TurnRecords & Pick<WorkerContext, 'hostRecords'>;

/** A younger lease is not looked at: each look takes reads of storage, and mostly its deployment is at work. */
const LOOKED_AT_AFTER_MS: Readonly<Record<BudgetDoor, number>> = {
  /** Longer than most plans take. */
  plan: 5 * 60_000,
  /** Permission that was given with it may be used until it lapses. */
  apply: LEASE_MS.apply,
};

/** Storage has others to answer meanwhile. */
const LOOKS_AT_ONCE = 10;

/** A deployment gives back its leases at its end, so only those are looked at that are old enough, and only where none is free. */
export async function withoutOver(
  context: HeldRecords,
  found: Leases,
  { door, limit }: DoorBudget,
  now: number,
): Promise<Leases> {
  if (found.leases.length < limit) return found;
  const areHeld = await pMap(
    found.leases,
    async (lease) => ageOf(lease, door, now) < LOOKED_AT_AFTER_MS[door] || isHeld(context, door, lease, now),
    { concurrency: LOOKS_AT_ONCE },
  );
  return { ...found, leases: found.leases.filter((_lease, place) => areHeld[place] === true) };
}

/** Since it was taken, or renewed. */
function ageOf({ until }: Lease, door: BudgetDoor, now: number): number {
  return now - (Date.parse(until) - LEASE_MS[door]);
}

/** Whether a lease is needed that is old enough to be looked at. */
export async function isHeld(context: HeldRecords, door: BudgetDoor, lease: Lease, now: number): Promise<boolean> {
  return door === 'plan' ? isPlanning(context, lease, now) : isApplying(context, lease, now);
}

/** Until the plan is made, which gives the lease back, a host of its pool says every few seconds that it is at work on it. */
async function isPlanning(context: HeldRecords, lease: Lease, now: number): Promise<boolean> {
  const { hostRecords } = context;
  const { deploymentId, repository, rootName, pool, until } = lease;
  if (await hasEnd(context, repository, rootName, deploymentId)) return false;
  if (now < Date.parse(until)) return true;
  // A host that was taken over says what it likes.
  if (now >= Date.parse(overAt({ at: until }))) return false;
  // Of a host whose record cannot be read, nobody knows what it does.
  const hosts = await hostRecords.list(() => undefined);
  return hosts.some(
    (host) => isHeardOf(host, now) && (host.pool ?? DEFAULT_POOL) === pool && host.runs?.includes(deploymentId),
  );
}

/** Whether storage has the end of a deployment. One whose record cannot be read may go on. */
export async function hasEnd(
  { deploymentRecords }: Pick<TurnRecords, 'deploymentRecords'>,
  repository: Lease['repository'],
  rootName: string,
  deploymentId: string,
): Promise<boolean> {
  try {
    return (await deploymentRecords.find(repository, rootName, deploymentId)) !== undefined;
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    return false;
  }
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
