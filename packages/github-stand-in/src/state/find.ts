import { sameName } from './accounts.ts';
import type { CheckRun, CheckSuite, Comment, PullRequest, Repository, Review } from './model.ts';
import type { Store } from './store.ts';

export function findRepository(store: Store, owner: string, name: string): Repository | undefined {
  return store.state.repositories.find((each) => sameName(each.owner, owner) && sameName(each.name, name));
}

export function findPullRequest(store: Store, repository: Repository, number: number): PullRequest | undefined {
  return store.state.pullRequests.find((each) => each.repositoryId === repository.id && each.number === number);
}

/** A pull request that something in the state refers to. Pull requests are never deleted. */
export function findPullRequestById(store: Store, id: number): PullRequest {
  const found = store.state.pullRequests.find((each) => each.id === id);
  if (!found) throw new Error(`pull request ${id} was expected in the state and is not there`);
  return found;
}

/** Open pull requests whose head is this commit. */
export function pullRequestsAt(store: Store, repository: Repository, sha: string): PullRequest[] {
  return store.state.pullRequests.filter(
    (each) => each.repositoryId === repository.id && each.state === 'open' && each.headSha === sha,
  );
}

export function commentsOf(store: Store, pr: PullRequest): Comment[] {
  return store.state.comments.filter(({ pullRequestId }) => pullRequestId === pr.id);
}

export function reviewsOf(store: Store, pr: PullRequest): Review[] {
  return store.state.reviews.filter(({ pullRequestId }) => pullRequestId === pr.id);
}

export function findCheckRun(store: Store, id: number): CheckRun | undefined {
  return store.state.checkRuns.find((each) => each.id === id);
}

/** Newest first, as GitHub lists them. */
export function runsOf(store: Store, suite: CheckSuite): CheckRun[] {
  return store.state.checkRuns.filter(({ suiteId }) => suiteId === suite.id).reverse();
}

export function runsAt(store: Store, repository: Repository, sha: string): CheckRun[] {
  return store.state.checkRuns.filter((each) => each.repositoryId === repository.id && each.headSha === sha).reverse();
}

/** The newest check run of each name; `runs` must be newest first. */
export function latestOf(runs: readonly CheckRun[]): CheckRun[] {
  const byName = new Map<string, CheckRun>();
  for (const run of runs) if (!byName.has(run.name)) byName.set(run.name, run);
  return [...byName.values()];
}
