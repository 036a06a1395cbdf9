import { emitPullRequest } from '../events/pull-request-events.ts';
import { findPullRequestById } from '../state/find.ts';
import type { MergeQueue, QueueEntry, Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { mergeQueueBot, unmakeGroups, type DestroyReason } from './merge-groups.ts';

/** Pull requests that leave a queue without being merged. */
export interface Leaving {
  readonly entries: readonly QueueEntry[];
  /** The reason of the webhook about the pull request. */
  readonly why:
    'MANUAL' | 'MERGE_CONFLICT' | 'CI_FAILURE' | 'ALREADY_MERGED' | 'QUEUE_CLEARED' | 'UNKNOWN_REMOVAL_REASON';
  /** The reason of the webhook about their own groups; the groups behind are invalidated. */
  readonly reason: DestroyReason;
  /** The login of the person who removes them; the queue itself unless given. */
  readonly by?: string;
}

/** Removes pull requests from a queue. Their groups, and all groups behind, have to be made again. */
export async function removeEntries(world: World, repository: Repository, queue: MergeQueue, leaving: Leaving) {
  const entries = new Set(leaving.entries);
  const isOwn = (group: MergeQueue['groups'][number]): boolean => group.entries.some((entry) => entries.has(entry));
  const from = queue.groups.findIndex(isOwn);
  if (from !== -1) {
    await unmakeGroups(world, repository, queue, from, (group) => (isOwn(group) ? leaving.reason : 'invalidated'));
  }
  for (const group of queue.groups) group.entries = group.entries.filter((entry) => !entries.has(entry));
  queue.groups = queue.groups.filter((group) => group.entries.length > 0);
  queue.waiting = queue.waiting.filter((entry) => !entries.has(entry));
  world.store.changed();
  for (const { pullRequestId } of entries) {
    const pr = findPullRequestById(world.store, pullRequestId);
    const by = leaving.by ?? mergeQueueBot(world);
    await emitPullRequest(world, repository, pr, 'dequeued', by, { reason: leaving.why });
  }
}
