/**
 * The rules of a merge queue. They look at what is there, not at what has just happened, and apply in this order until none
 * of them applies:
 *
 * 1. A pull request that was closed or has another head leaves; all leave a branch that has no queue any more.
 * 2. When a required check of a group fails, its pull requests leave, and the groups behind it are made again.
 * 3. When the base branch is not where the first group began, every group is made again.
 * 4. When all required checks of the first group have passed, it is merged.
 * 5. Each group is made on top of the one before. The pull requests that wait become a group once they fill one, or when no
 *    group is before them.
 */
import { readBranches } from '../git/bare-repository.ts';
import { findPullRequestById } from '../state/find.ts';
import type { GroupCommit, MergeQueue, Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import { findUnmetChecks, rulesOf } from '../state/branch-rules.ts';
import { makeCommit, mergeGroup, unmakeGroups } from './merge-groups.ts';
import { removeEntries, type Leaving } from './remove-entries.ts';

/** To be called while nothing else changes the repository. */
export async function settleQueues(world: World, repository: Repository): Promise<void> {
  for (const queue of world.store.state.mergeQueues.filter(({ repositoryId }) => repositoryId === repository.id)) {
    let moved = true;
    while (moved) moved = await advance(world, repository, queue);
  }
}

/** Applies the first rule that applies; false when none does. */
async function advance(world: World, repository: Repository, queue: MergeQueue): Promise<boolean> {
  if (queue.groups.length + queue.waiting.length === 0) return false;
  const tip = (await readBranches(directoryOf(world, repository))).get(queue.branch);
  const leaving = findLeaving(world, repository, queue, tip);
  if (leaving) {
    await removeEntries(world, repository, queue, leaving);
    return true;
  }
  const [first] = queue.groups;
  if (first?.commit && first.commit.baseSha !== tip) {
    await unmakeGroups(world, repository, queue, 0);
    return true;
  }
  if (first?.commit && hasPassed(world, repository, queue, first.commit)) {
    await mergeGroup(world, repository, queue, { ...first, commit: first.commit });
    return true;
  }
  return tip !== undefined && formGroup(world, repository, queue, tip);
}

function findLeaving(world: World, repository: Repository, queue: MergeQueue, tip?: string): Leaving | undefined {
  const all = [...queue.groups.flatMap(({ entries }) => entries), ...queue.waiting];
  if (tip === undefined || !rulesOf(world.store, repository, queue.branch)?.mergeQueue) {
    return { entries: all, why: 'QUEUE_CLEARED', reason: 'dequeued' };
  }
  const stale = all.find(({ pullRequestId, headSha }) => {
    const pr = findPullRequestById(world.store, pullRequestId);
    return pr.state !== 'open' || pr.headSha !== headSha;
  });
  if (stale) {
    const { merged } = findPullRequestById(world.store, stale.pullRequestId);
    return { entries: [stale], why: merged ? 'ALREADY_MERGED' : 'UNKNOWN_REMOVAL_REASON', reason: 'dequeued' };
  }
  const failed = queue.groups.find(({ commit }) => commit && hasFailed(world, repository, queue, commit));
  return failed && { entries: failed.entries, why: 'CI_FAILURE', reason: 'invalidated' };
}

/** Makes the next commit that a group lacks, or the next group. */
async function formGroup(world: World, repository: Repository, queue: MergeQueue, tip: string): Promise<boolean> {
  const groupSize = rulesOf(world.store, repository, queue.branch)?.mergeQueue?.groupSize ?? 1;
  const isDue = queue.waiting.length >= groupSize || (queue.groups.length === 0 && queue.waiting.length > 0);
  const index = queue.groups.findIndex(({ commit }) => !commit);
  if (index === -1 && !isDue) return false;
  const group = queue.groups[index] ?? { entries: queue.waiting.splice(0, groupSize), commit: null };
  if (index === -1) queue.groups.push(group);
  const before = queue.groups[queue.groups.indexOf(group) - 1]?.commit;
  const conflicting = await makeCommit(world, repository, queue, group, before?.headSha ?? tip);
  if (conflicting) {
    await removeEntries(world, repository, queue, {
      entries: [conflicting],
      why: 'MERGE_CONFLICT',
      reason: 'dequeued',
    });
  }
  return true;
}

function hasPassed(world: World, repository: Repository, { branch }: MergeQueue, { headSha }: GroupCommit): boolean {
  const { failed, pending } = findUnmetChecks(world.store, repository, branch, headSha);
  return failed.length + pending.length === 0;
}

function hasFailed(world: World, repository: Repository, { branch }: MergeQueue, { headSha }: GroupCommit): boolean {
  return findUnmetChecks(world.store, repository, branch, headSha).failed.length > 0;
}
