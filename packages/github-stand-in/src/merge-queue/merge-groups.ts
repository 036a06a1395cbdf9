import { announcePush } from '../events/announce-push.ts';
import { mergeMessage } from './merge-message.ts';
import { endPullRequest, emitPullRequest } from '../events/pull-request-events.ts';
import { moveBranch, NO_COMMIT } from '../git/bare-repository.ts';
import { readCommit } from '../git/history.ts';
import { mergeCommits } from '../git/merge.ts';
import { simpleCommitJson } from '../json/commit-json.ts';
import { ensureAccount, signatureOf } from '../state/accounts.ts';
import { findPullRequestById } from '../state/find.ts';
import type { GroupCommit, MergeGroup, MergeQueue, QueueEntry, Repository } from '../state/model.ts';
import { emit } from '../events/emit.ts';
import { directoryOf, type World } from '../world.ts';
import { GROUP_BRANCHES } from '../state/branch-rules.ts';

export type DestroyReason = 'merged' | 'invalidated' | 'dequeued';

/** Merges a group's pull requests onto `base` and asks for checks. Returns the first one that conflicts, with nothing made. */
export async function makeCommit(
  world: World,
  repository: Repository,
  queue: MergeQueue,
  group: MergeGroup,
  base: string,
): Promise<QueueEntry | undefined> {
  const directory = directoryOf(world, repository);
  const merges: string[] = [];
  let headSha = base;
  for (const entry of group.entries) {
    const message = mergeMessage(repository, findPullRequestById(world.store, entry.pullRequestId), 'merge');
    const merge = {
      kind: 'merge',
      base: headSha,
      head: entry.headSha,
      message,
      by: signatureOf(world.store, entry.by),
    } as const;
    const merged = await mergeCommits(directory, merge);
    if (merged.kind === 'conflict') return entry;
    headSha = merged.sha;
    merges.push(headSha);
  }
  group.commit = { branch: nameBranch(world, queue, group, base), baseSha: base, headSha, merges };
  await moveGroupBranch(world, repository, group.commit, NO_COMMIT, headSha);
  await emitMergeGroup(world, repository, queue, group.commit, 'checks_requested');
  return undefined;
}

/** Destroys the commits of the groups from the given place on, the last one first; they have to be made again. */
export async function unmakeGroups(
  world: World,
  repository: Repository,
  queue: MergeQueue,
  from: number,
  reasonOf: (group: MergeGroup) => DestroyReason = () => 'invalidated',
): Promise<void> {
  for (const group of queue.groups.slice(from).reverse()) {
    const { commit } = group;
    if (!commit) continue;
    group.commit = null;
    await destroy(world, repository, queue, commit, reasonOf(group));
  }
}

/** Moves the base branch to the head of the first group, which merges the group's pull requests. */
export async function mergeGroup(
  world: World,
  repository: Repository,
  queue: MergeQueue,
  { entries, commit }: MergeGroup & { readonly commit: GroupCommit },
): Promise<void> {
  const by = mergeQueueBot(world);
  await moveBranch(directoryOf(world, repository), queue.branch, commit.baseSha, commit.headSha);
  queue.groups.shift();
  for (const [index, { pullRequestId }] of entries.entries()) {
    const pr = findPullRequestById(world.store, pullRequestId);
    const sha = commit.merges[index] ?? commit.headSha;
    pr.baseSha = commit.merges[index - 1] ?? commit.baseSha;
    await emitPullRequest(world, repository, pr, 'dequeued', by, { reason: 'MERGE' });
    await endPullRequest(world, repository, pr, { sha, by });
  }
  const move = { branch: queue.branch, before: commit.baseSha, after: commit.headSha, mergedBy: 'queue' } as const;
  await announcePush(world, repository, [move], by);
  await destroy(world, repository, queue, commit, 'merged');
}

/** The account that writes for every merge queue; webhooks name it, not the people who enqueue. */
export function mergeQueueBot(world: World): string {
  return ensureAccount(world.store, 'github-merge-queue[bot]', 'Bot').login;
}

function nameBranch(world: World, { branch }: MergeQueue, { entries }: MergeGroup, base: string): string {
  const [last] = entries.slice(-1).map(({ pullRequestId }) => findPullRequestById(world.store, pullRequestId).number);
  return `${GROUP_BRANCHES}${branch}/pr-${String(last)}-${base}`;
}

async function destroy(
  world: World,
  repository: Repository,
  queue: MergeQueue,
  commit: GroupCommit,
  reason: DestroyReason,
): Promise<void> {
  await moveGroupBranch(world, repository, commit, commit.headSha, NO_COMMIT);
  await emitMergeGroup(world, repository, queue, commit, 'destroyed', { reason });
}

async function moveGroupBranch(
  world: World,
  repository: Repository,
  { branch }: GroupCommit,
  before: string,
  after: string,
): Promise<void> {
  await moveBranch(directoryOf(world, repository), branch, before, after);
  await announcePush(world, repository, [{ branch, before, after }], mergeQueueBot(world));
}

async function emitMergeGroup(
  world: World,
  repository: Repository,
  queue: MergeQueue,
  commit: GroupCommit,
  action: 'checks_requested' | 'destroyed',
  more: { readonly reason?: DestroyReason } = {},
): Promise<void> {
  const mergeGroup = {
    head_sha: commit.headSha,
    head_ref: `refs/heads/${commit.branch}`,
    base_sha: commit.baseSha,
    base_ref: `refs/heads/${queue.branch}`,
    head_commit: simpleCommitJson(await readCommit(directoryOf(world, repository), commit.headSha)),
  };
  const payload = { ...more, merge_group: mergeGroup };
  emit(world, { event: 'merge_group', action, repository, sender: mergeQueueBot(world), payload });
}
