/**
 * Moves of branches, as GitHub's activity view lists them. GitHub tells times to the second, and people are slower than that:
 * here, a person's comment on a pull request and the pushes to its branch each have a second of their own, so that their order
 * shows. An App's replies need none: what it says is no command.
 */
import { NO_COMMIT } from '../git/bare-repository.ts';
import { isAncestor } from '../git/history.ts';
import type { ActivityKind, PullRequest, Repository } from '../state/model.ts';
import { now, timestamp } from '../state/store.ts';
import { directoryOf, type World } from '../world.ts';
import type { BranchMove } from './branch-move.ts';

export async function recordActivity(world: World, repository: Repository, move: BranchMove, by: string) {
  const { branch, before, after } = move;
  const { activities, comments, pullRequests } = world.store.state;
  const pulls = new Set(pullRequests.filter((pr) => isFrom(pr, repository, branch)).map(({ id }) => id));
  const commentedAt = comments
    .filter(({ pullRequestId, author }) => pulls.has(pullRequestId) && !author.endsWith('[bot]'))
    .map(({ createdAt }) => createdAt);
  activities.push({
    id: world.store.newId(),
    repositoryId: repository.id,
    branch,
    before,
    after,
    kind: await kindOf(world, repository, move),
    actor: by,
    at: later(commentedAt),
  });
}

/** The time of a comment that is written now. */
export function commentTime(world: World, repository: Repository, { headBranch }: PullRequest): string {
  const { activities } = world.store.state;
  const pushes = activities.filter((one) => one.repositoryId === repository.id && one.branch === headBranch);
  return later(pushes.map(({ at }) => at));
}

function isFrom({ repositoryId, headBranch, fork }: PullRequest, repository: Repository, branch: string): boolean {
  return fork === undefined && repositoryId === repository.id && headBranch === branch;
}

/** Now, or the second after the last of these times. */
function later(times: readonly string[]): string {
  const last = Math.max(...times.map((time) => Date.parse(time)));
  return last < Date.parse(now()) ? now() : timestamp(Number.isFinite(last) ? last + 1_000 : Date.now());
}

async function kindOf(world: World, repository: Repository, move: BranchMove): Promise<ActivityKind> {
  const { before, after, mergedBy } = move;
  if (mergedBy === 'queue') return 'merge_queue_merge';
  if (mergedBy === 'person') return 'pr_merge';
  if (before === NO_COMMIT) return 'branch_creation';
  if (after === NO_COMMIT) return 'branch_deletion';
  return (await isAncestor(directoryOf(world, repository), before, after)) ? 'push' : 'force_push';
}
