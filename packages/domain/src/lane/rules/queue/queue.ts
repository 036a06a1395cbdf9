/**
 * The waiting deployments of a lane, and their order.
 *
 * Manual deployments go before merged ones, in the order they came. Merged ones go in the order of the branch: their
 * position, not their arrival, because webhooks overtake each other. While the lane is locked by a manual deployment or
 * a failure, merged deployments stay where they are; deployments that `lock.ts` lets pass still go.
 *
 * If the root says `queue: newest`, the newest merged deployment goes first, and those that it contains go with it. While one of
 * these waits for other lanes, the newest before it goes.
 */
import type { Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { bytesOf, bytesOfAll } from '../../../bytes.ts';
import { passes } from '../../../deployment/rules/lock.ts';

export interface Queue {
  readonly manual: readonly Deployment[];
  readonly merged: readonly Deployment[];
}

/** A merge every minute for a working day and a night. Anything beyond that is a runaway, not a queue. */
export const QUEUE_LIMIT = 1_000;

/** The room that a lane has for waiting deployments. A thousand usual ones, signed and with their check runs, fit into it. */
const QUEUE_BYTES = 1_150_000;

export const emptyQueue: Queue = { manual: [], merged: [] };

export type Enqueued = { readonly kind: 'queued'; readonly queue: Queue } | { readonly kind: 'full' };

export function enqueue(queue: Queue, deployment: Deployment): Enqueued {
  if (length(queue) >= QUEUE_LIMIT) return { kind: 'full' };
  if (bytesOfAll(inOrder(queue)) + bytesOf(deployment) > QUEUE_BYTES) return { kind: 'full' };
  return { kind: 'queued', queue: insert(queue, deployment) };
}

/**
 * The deployment whose turn it is; undefined while all waiting deployments have to wait: no gate is open for them. Manual
 * deployments that are held for other lanes let others pass, and a merged one does not pass another merged one.
 */
export function first(
  { manual, merged }: Queue,
  isOpen: (deployment: Deployment) => boolean,
  isHeld: (deployment: Deployment) => boolean = () => false,
): Deployment | undefined {
  const heldAt = merged.findIndex(isHeld);
  const free = heldAt === -1 ? merged : merged.slice(0, heldAt);
  const next = [...manual, ...free].find(isOpen);
  const last = newest({ manual, merged: free });
  return next?.trigger === 'merge' && last !== undefined && isOpen(last) ? last : next;
}

/** The merged deployment that goes for all before it; undefined when each goes by itself. */
export function newest({ merged }: Queue): Deployment | undefined {
  const last = merged.at(-1);
  return last?.root.queue === 'newest' ? last : undefined;
}

/**
 * How many waiting deployments go before each one, by id. Deployments that the lock holds back do not go before one that it
 * lets pass, and manual ones that wait for other lanes go before nobody. When the newest carries the others, they all go at once.
 */
export function countAhead(queue: Queue, lock: Lock | undefined): ReadonlyMap<string, number> {
  const isCarried = newest(queue) !== undefined;
  const ahead = new Map<string, number>();
  let all = 0;
  let passing = 0;
  for (const deployment of inOrder(queue)) {
    const isPassing = passes(deployment, lock);
    ahead.set(deployment.id, isPassing ? passing : all);
    if (deployment.trigger === 'merge' ? isCarried : waitsForOthers(deployment)) continue;
    all += 1;
    if (isPassing) passing += 1;
  }
  return ahead;
}

/** As its check run says: while a deployment waits, only this is a reason. */
function waitsForOthers({ progress }: Deployment): boolean {
  return progress.reason !== undefined;
}

/** All waiting deployments, in the order in which they will run. */
export function inOrder(queue: Queue): readonly Deployment[] {
  return [...queue.manual, ...queue.merged];
}

/** Returns the same object when none of them waits. */
export function remove(queue: Queue, ids: ReadonlySet<string>): Queue {
  if (!inOrder(queue).some(({ id }) => ids.has(id))) return queue;
  const others = (list: readonly Deployment[]) => list.filter(({ id }) => !ids.has(id));
  return { manual: others(queue.manual), merged: others(queue.merged) };
}

/**
 * Puts a deployment back where it was popped from: a manual one before everything, a merged one at its place on the branch. One
 * that goes before it may have come meanwhile.
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

/** Inserts a deployment behind those that go before it, even into a full queue. */
export function insert(queue: Queue, deployment: Deployment): Queue {
  if (deployment.trigger === 'manual') return { ...queue, manual: [...queue.manual, deployment] };
  return insertMerged(queue, deployment, (other) => other.revision.position > deployment.revision.position);
}

/** Inserts a deployment before the first one that goes later. */
function insertMerged(queue: Queue, deployment: Deployment, isLater: (other: Deployment) => boolean): Queue {
  const later = queue.merged.findIndex(isLater);
  const at = later === -1 ? queue.merged.length : later;
  return { ...queue, merged: queue.merged.toSpliced(at, 0, deployment) };
}
