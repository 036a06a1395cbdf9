import { NO_COMMIT } from '../git/bare-repository.ts';
import { isAncestor } from '../git/history.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import type { BranchMove } from './branch-move.ts';
import { endPullRequest, emitPullRequest } from './pull-request-events.ts';

/** Applies a push to the open pull requests from and to its branch. */
export async function followBranch(world: World, repository: Repository, move: BranchMove, by: string): Promise<void> {
  const open = world.store.state.pullRequests.filter(
    ({ repositoryId, state }) => repositoryId === repository.id && state === 'open',
  );
  for (const pr of open) {
    if (pr.fork === undefined && pr.headBranch === move.branch) await followHead(world, repository, pr, move, by);
    if (pr.baseBranch === move.branch) await followBase(world, repository, pr, move, by);
  }
}

async function followHead(world: World, repository: Repository, pr: PullRequest, move: BranchMove, by: string) {
  if (move.after === NO_COMMIT) {
    await endPullRequest(world, repository, pr, { sha: undefined, by });
    return;
  }
  pr.headSha = move.after;
  const { before, after } = move;
  await emitPullRequest(world, repository, pr, 'synchronize', by, { before, after });
}

/** A pull request whose commits reached its base by a push counts as merged. */
async function followBase(world: World, repository: Repository, pr: PullRequest, move: BranchMove, by: string) {
  if (pr.state === 'closed' || move.after === NO_COMMIT) return;
  if (await isAncestor(directoryOf(world, repository), pr.headSha, move.after)) {
    await endPullRequest(world, repository, pr, { sha: move.after, by });
  } else pr.baseSha = move.after;
}
