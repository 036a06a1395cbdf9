import { readChangedFiles, type ChangedFile } from '../git/changed-files.ts';
import { findMergeBase, readCommits, type Commit } from '../git/history.ts';
import { isMergeable } from '../git/merge.ts';
import type { PullRequestFacts } from '../json/pull-request-json.ts';
import { findUnmetChecks } from '../state/branch-rules.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';

export async function readPullRequestFacts(
  world: World,
  repository: Repository,
  pr: PullRequest,
): Promise<PullRequestFacts> {
  const [commits, files, mergeable] = await Promise.all([
    readPullRequestCommits(world, repository, pr),
    readPullRequestFiles(world, repository, pr),
    pr.state === 'open' ? isMergeable(directoryOf(world, repository), pr.baseSha, pr.headSha) : null,
  ]);
  return {
    mergeable,
    mergeableState: stateOf(world, repository, pr, mergeable),
    commits: commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  };
}

/** The commits that the branch has and its base does not, oldest first. */
export async function readPullRequestCommits(world: World, repository: Repository, pr: PullRequest): Promise<Commit[]> {
  return readCommits(directoryOf(world, repository), ['--date-order', '--reverse', `${pr.baseSha}..${pr.headSha}`]);
}

/** The files that the branch changed since it left its base. */
export async function readPullRequestFiles(
  world: World,
  repository: Repository,
  pr: PullRequest,
): Promise<ChangedFile[]> {
  const directory = directoryOf(world, repository);
  const fork = await findMergeBase(directory, pr.baseSha, pr.headSha);
  return fork === undefined ? [] : readChangedFiles(directory, fork, pr.headSha);
}

function stateOf(world: World, repository: Repository, pr: PullRequest, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  if (pr.draft) return 'draft';
  const { failed, pending } = findUnmetChecks(world.store, repository, pr.baseBranch, pr.headSha);
  return failed.length + pending.length > 0 ? 'blocked' : 'clean';
}
