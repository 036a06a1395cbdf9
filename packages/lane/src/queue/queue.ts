/**
 * What waits in a lane, and who goes first.
 *
 * Manual deployments go before merged ones, in the order they came. Merged ones go in the order of the branch: their
 * position, not their arrival, because webhooks overtake each other. While the lane is locked by a manual deployment or
 * a failure, merged deployments stay where they are; what `lock.ts` lets pass still goes.
 *
 * Where the root says `queue: newest`, the newest merged deployment goes first, and those that it contains go with it.
 */
import type { Deployment, Lock } from '@nereid/contracts';
import { bytesOf, bytesOfAll } from '../state/bytes.ts';
import { passes } from './lock.ts';

export interface Queue {
  readonly manual: readonly Deployment[];
  readonly merged: readonly Deployment[];
}

/** A merge every minute for a working day and a night: beyond that it is a runaway, not a queue. */
export const QUEUE_LIMIT = 1_000;

/** What a lane has room for, but for what ended; a thousand usual deployments take nine tenths of it. */
const QUEUE_BYTES = 1_000_000;

export const emptyQueue: Queue = { manual: [], merged: [] };

export type Enqueued = { readonly kind: 'queued'; readonly queue: Queue } | { readonly kind: 'full' };

export function enqueue(queue: Queue, deployment: Deployment): Enqueued {
  if (length(queue) >= QUEUE_LIMIT) return { kind: 'full' };
  if (bytesOfAll(inOrder(queue)) + bytesOf(deployment) > QUEUE_BYTES) return { kind: 'full' };
  return { kind: 'queued', queue: insert(queue, deployment) };
}

/** The deployment whose turn it is, or undefined while everything that waits has to. */
export function first(queue: Queue, lock: Lock | undefined): Deployment | undefined {
  const next = inOrder(queue).find((deployment) => passes(deployment, lock));
  const last = newest(queue);
  return next?.trigger === 'merge' && last !== undefined && passes(last, lock) ? last : next;
}

/** The merged deployment that goes for all before it; undefined where each goes by itself. */
export function newest({ merged }: Queue): Deployment | undefined {
  const last = merged.at(-1);
  return last?.root.queue === 'newest' ? last : undefined;
}

/**
 * How many waiting ones go before each, by id. Those that the lock holds back do not go before one that it lets pass; where
 * the newest carries the others, they all go at once.
 */
export function countAhead(queue: Queue, lock: Lock | undefined): ReadonlyMap<string, number> {
  const isCarried = newest(queue) !== undefined;
  const ahead = new Map<string, number>();
  let all = 0;
  let passing = 0;
  for (const deployment of inOrder(queue)) {
    const isPassing = passes(deployment, lock);
    ahead.set(deployment.id, isPassing ? passing : all);
    if (isCarried && deployment.trigger === 'merge') continue;
    all += 1;
    if (isPassing) passing += 1;
  }
  return ahead;
}

/** Everything that waits, in the order in which it will run. */
export function inOrder(queue: Queue): readonly Deployment[] {
  return [...queue.manual, ...queue.merged];
}

/** The same queue where none of them waits. */
export function remove(queue: Queue, ids: ReadonlySet<string>): Queue {
  if (!inOrder(queue).some(({ id }) => ids.has(id))) return queue;
  const others = (list: readonly Deployment[]) => list.filter(({ id }) => !ids.has(id));
  return { manual: others(queue.manual), merged: others(queue.merged) };
}

/**
 * Puts a deployment back where it was popped from: a manual one before everything, a merged one to its place on the branch,
 * where one that goes before it may have come meanwhile.
 */
export function putBack(queue: Queue, deployment: Deployment): Queue {
  if (deployment.trigger === 'manual') return { ...queue, manual: [deployment, ...queue.manual] };
  return insertMerged(queue, deployment, (other) => other.revision.position >= deployment.revision.position);
}

export function update(queue: Queue, id: string, change: (deployment: Deployment) => Deployment): Queue {
  const changed = (list: readonly Deployment[]) =>
    list.map((deployment) => (deployment.id === id ? change(deployment) : deployment));
  return { manual: changed(queue.manual), merged: changed(queue.merged) };
}

export function length(queue: Queue): number {
  return queue.manual.length + queue.merged.length;
}

/** Behind what goes before it, however much waits. */
export function insert(queue: Queue, deployment: Deployment): Queue {
  if (deployment.trigger === 'manual') return { ...queue, manual: [...queue.manual, deployment] };
  return insertMerged(queue, deployment, (other) => other.revision.position > deployment.revision.position);
}

/** Before the first that goes later. */
function insertMerged(queue: Queue, deployment: Deployment, isLater: (other: Deployment) => boolean): Queue {
  const later = queue.merged.findIndex(isLater);
  const at = later === -1 ? queue.merged.length : later;
  return { ...queue, merged: queue.merged.toSpliced(at, 0, deployment) };
}
