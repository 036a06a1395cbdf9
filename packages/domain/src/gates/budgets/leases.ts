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
  /** The repositories that got the latest leases, the last one at the end; each as often as its weight at most. */
  readonly served: readonly string[];
}

export const NO_LEASES: Leases = { leases: [], waiting: [], served: [] };

/** How many leases a budget has, and how they are shared. */
export interface Quota {
  readonly limit: number;
  /** By `owner/name` in lower case: a repository of weight 3 gets three leases for one of any other. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** More than a merge has roots. Any others ask again by themselves, and get a place then. */
const WAITING_LIMIT = 500;

/** A repository that is not among them has waited longest. */
const SERVED_LIMIT = 200;

/** One that was told and has not come loses its place until it asks again: the turn is for those that can use it. */
const COMES_WITHIN_MS = 2 * 60_000;

/** Longer than it takes to come. By then, whoever was to tell it may have died before. */
const TOLD_AGAIN_AFTER_MS = 10_000;

export interface AskedLease {
  readonly leases: Leases;
  readonly isGranted: boolean;
  /** It had the lease already, perhaps with permission to apply. */
  readonly isRenewed: boolean;
  /** How many come before it. */
  readonly ahead: number;
}

/**
 * Takes or renews a lease, where one is free and nobody comes first who waits already; else the deployment gets a place. `now` is in
 * epoch milliseconds.
 */
export function askLease(
  found: Leases,
  asker: Leaseholder & Pick<Waiter, 'since'>,
  { until, quota, now }: Pick<Lease, 'until'> & { readonly quota: Quota; readonly now: number },
): AskedLease {
  const { since, ...holder } = asker;
  const { deploymentId } = holder;
  const lease = { ...holder, until };
  const others = found.leases.filter((one) => one.deploymentId !== deploymentId);
  const waiting = found.waiting.filter((one) => one.deploymentId !== deploymentId && !isLate(one, now));
  if (others.length < found.leases.length)
    return { leases: { ...found, leases: [...others, lease], waiting }, isGranted: true, isRenewed: true, ahead: 0 };
  const queue = inOrder({ ...found, leases: others, waiting: [...waiting, { ...holder, since }] }, quota);
  const ahead = queue.findIndex((one) => one.deploymentId === deploymentId);
  if (others.length + ahead < quota.limit) {
    const served = withServed(found.served, fullName(holder.repository), quota);
    const leases = { leases: [...others, lease], waiting, served };
    return { leases, isGranted: true, isRenewed: false, ahead: 0 };
  }
  return {
    leases: { ...found, leases: others, waiting: queue.slice(0, WAITING_LIMIT) },
    isGranted: false,
    isRenewed: false,
    ahead,
  };
}

function withServed(served: readonly string[], name: string, quota: Quota): readonly string[] {
  const own = served.flatMap((one, place) => (one === name ? [place] : []));
  const forgotten = own.slice(0, Math.max(0, own.length + 1 - weightOf(name, quota)));
  return [...served.filter((_one, place) => !forgotten.includes(place)), name].slice(-SERVED_LIMIT);
}

function weightOf(name: string, { weights = {} }: Quota): number {
  return weights[name.toLowerCase()] ?? 1;
}

/** Gives back the lease, or the place, of a deployment. */
export function returnLease(found: Leases, deploymentId: string): Leases {
  return {
    ...found,
    leases: found.leases.filter((one) => one.deploymentId !== deploymentId),
    waiting: found.waiting.filter((one) => one.deploymentId !== deploymentId),
  };
}

/** Chooses those that wait for the leases that are free, and have not been told so, or have not come since. */
export function wakeNext(
  found: Leases,
  quota: Quota,
  now: number,
): { readonly leases: Leases; readonly woken: readonly Waiter[] } {
  const waiting = inOrder({ ...found, waiting: found.waiting.filter((one) => !isLate(one, now)) }, quota);
  const next = waiting.slice(0, Math.max(0, quota.limit - found.leases.length));
  const woken = next.filter(({ wokenAt }) => wokenAt === undefined || Date.parse(wokenAt) + TOLD_AGAIN_AFTER_MS < now);
  // It is late by the first time that it was told, or it would hold up others for ever.
  const wokenAt = new Date(now).toISOString();
  const told = waiting.map((one) => (woken.includes(one) ? { ...one, wokenAt: one.wokenAt ?? wokenAt } : one));
  return { leases: { ...found, waiting: told }, woken };
}

/**
 * When a deployment that waits may get a lease although nobody tells it, in epoch milliseconds: by then, enough of those before it have
 * a lease that lapses, or were told and have not come. Undefined where nobody knows: an apply that has begun outlives its lease.
 */
export function freeAt(
  { leases, waiting }: Leases,
  deploymentId: string,
  { limit }: Quota,
  now: number,
): number | undefined {
  const place = waiting.findIndex((one) => one.deploymentId === deploymentId);
  if (place === -1) return undefined;
  const before = waiting.slice(0, place);
  const needed = leases.length + before.length + 1 - limit;
  const goAt = [
    ...leases.map(({ until }) => Date.parse(until)),
    ...before.flatMap(({ wokenAt }) => (wokenAt === undefined ? [] : [Date.parse(wokenAt) + COMES_WITHIN_MS])),
  ];
  return goAt.filter((at) => at > now).toSorted((one, other) => one - other)[needed - 1];
}

function isLate({ wokenAt }: Waiter, now: number): boolean {
  return wokenAt !== undefined && Date.parse(wokenAt) + COMES_WITHIN_MS < now;
}

/**
 * The order in which those that wait get a lease: the repositories with the fewest leases for their weight first, among them the one
 * that was served longest ago, and of its deployments the one that was ordered first.
 */
function inOrder({ leases, waiting, served }: Leases, quota: Quota): readonly Waiter[] {
  const queues = new Map<string, readonly Waiter[]>();
  for (const waiter of waiting.toSorted(
    (one, other) => compare(one.since, other.since) || compare(one.deploymentId, other.deploymentId),
  )) {
    const name = fullName(waiter.repository);
    queues.set(name, [...(queues.get(name) ?? []), waiter]);
  }
  // As if each got its lease in turn: the next of its repository comes after the first of the others.
  const placed = [...queues].flatMap(([name, queue]) => {
    const held = leases.filter((one) => fullName(one.repository) === name).length;
    const weight = weightOf(name, quota);
    const servedAt = lastTurnOf(served, name, weight);
    return queue.map((waiter, place) => ({ waiter, share: (held + place) / weight, servedAt }));
  });
  return placed
    .toSorted(
      (one, other) =>
        one.share - other.share || one.servedAt - other.servedAt || compare(one.waiter.since, other.waiter.since),
    )
    .map(({ waiter }) => waiter);
}

/** When a repository began its last turn, which has as many leases as it weighs: a place among those served, -1 for long ago. */
function lastTurnOf(served: readonly string[], name: string, weight: number): number {
  const own = served.flatMap((one, place) => (one === name ? [place] : []));
  return own.at(-weight) ?? -1;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
