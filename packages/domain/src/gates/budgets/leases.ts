/** Who has the leases of a budget, who waits for one, and whose turn it is. */
import { fullName, type Repository } from '../../root/repository.ts';

/** A deployment that may take a lease. */
export interface Leaseholder {
  readonly deploymentId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly pool: string;
}

export interface Lease extends Leaseholder {
  /** When it lapses, unless the apply has begun by then. ISO 8601. */
  readonly until: string;
}

export interface Waiter extends Leaseholder {
  /** When it was ordered, ISO 8601. */
  readonly since: string;
  /** When it was told that it may have a lease. ISO 8601; absent for one that was not told. */
  readonly wokenAt?: string;
}

export interface Leases {
  readonly leases: readonly Lease[];
  readonly waiting: readonly Waiter[];
  /** The repositories that got the latest leases, the last one at the end. */
  readonly served: readonly string[];
}

export const NO_LEASES: Leases = { leases: [], waiting: [], served: [] };

/** More than a merge has roots. Any others ask again by themselves, and get a place then. */
const WAITING_LIMIT = 500;

/** A repository that is not among them has waited longest. */
const SERVED_LIMIT = 200;

/** One that was told and has not come loses its place until it asks again: the turn is for those that can use it. */
const COMES_WITHIN_MS = 2 * 60_000;

export interface AskedLease {
  readonly leases: Leases;
  readonly isGranted: boolean;
  /** It had the lease already, perhaps with permission to apply. */
  readonly isRenewed: boolean;
  /** How many come before it. */
  readonly ahead: number;
}

/**
 * Takes or renews a lease, where one is free and nobody comes first who waits already; else the deployment gets a place. `limit` is the
 * number of leases; `now` is in epoch milliseconds.
 */
export function askLease(
  found: Leases,
  asker: Leaseholder & Pick<Waiter, 'since'>,
  { until, limit, now }: Pick<Lease, 'until'> & { readonly limit: number; readonly now: number },
): AskedLease {
  const { since, ...holder } = asker;
  const { deploymentId } = holder;
  const lease = { ...holder, until };
  const others = found.leases.filter((one) => one.deploymentId !== deploymentId);
  const waiting = found.waiting.filter((one) => one.deploymentId !== deploymentId && !isLate(one, now));
  if (others.length < found.leases.length)
    return { leases: { ...found, leases: [...others, lease], waiting }, isGranted: true, isRenewed: true, ahead: 0 };
  const queue = inOrder({ ...found, leases: others, waiting: [...waiting, { ...holder, since }] });
  const ahead = queue.findIndex((one) => one.deploymentId === deploymentId);
  if (others.length + ahead < limit) {
    const served = [
      ...found.served.filter((name) => name !== fullName(holder.repository)),
      fullName(holder.repository),
    ];
    const leases = { leases: [...others, lease], waiting, served: served.slice(-SERVED_LIMIT) };
    return { leases, isGranted: true, isRenewed: false, ahead: 0 };
  }
  return {
    leases: { ...found, leases: others, waiting: queue.slice(0, WAITING_LIMIT) },
    isGranted: false,
    isRenewed: false,
    ahead,
  };
}

/** Gives back the lease, or the place, of a deployment. */
export function returnLease(found: Leases, deploymentId: string): Leases {
  return {
    ...found,
    leases: found.leases.filter((one) => one.deploymentId !== deploymentId),
    waiting: found.waiting.filter((one) => one.deploymentId !== deploymentId),
  };
}

/** Chooses those that wait for the leases that are free, and have not been told so. */
export function wakeNext(
  found: Leases,
  limit: number,
  now: number,
): { readonly leases: Leases; readonly woken: readonly Waiter[] } {
  const waiting = inOrder({ ...found, waiting: found.waiting.filter((one) => !isLate(one, now)) });
  const next = waiting.slice(0, Math.max(0, limit - found.leases.length));
  const woken = next.filter(({ wokenAt }) => wokenAt === undefined);
  const wokenAt = new Date(now).toISOString();
  const told = waiting.map((one) => (woken.includes(one) ? { ...one, wokenAt } : one));
  return { leases: { ...found, waiting: told }, woken };
}

function isLate({ wokenAt }: Waiter, now: number): boolean {
  return wokenAt !== undefined && Date.parse(wokenAt) + COMES_WITHIN_MS < now;
}

/**
 * The order in which those that wait get a lease: the repositories with the fewest leases first, among them the one that was served
 * longest ago, and of its deployments the one that was ordered first.
 */
function inOrder({ leases, waiting, served }: Leases): readonly Waiter[] {
  const queues = new Map<string, readonly Waiter[]>();
  for (const waiter of waiting.toSorted(
    (one, other) => compare(one.since, other.since) || compare(one.deploymentId, other.deploymentId),
  )) {
    const name = fullName(waiter.repository);
    queues.set(name, [...(queues.get(name) ?? []), waiter]);
  }
  const held = new Map(
    [...queues.keys()].map((name) => [name, leases.filter((one) => fullName(one.repository) === name).length]),
  );
  // As if each got its lease in turn: the next of its repository comes after the first of the others.
  const placed = [...queues].flatMap(([name, queue]) =>
    queue.map((waiter, place) => ({ waiter, held: (held.get(name) ?? 0) + place, servedAt: served.lastIndexOf(name) })),
  );
  return placed
    .toSorted(
      (one, other) =>
        one.held - other.held || one.servedAt - other.servedAt || compare(one.waiter.since, other.waiter.since),
    )
    .map(({ waiter }) => waiter);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
