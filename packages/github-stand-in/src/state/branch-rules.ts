import { latestOf, runsAt } from './find.ts';
import type { BranchRules, CheckConclusion, Repository } from './model.ts';
import type { Store } from './store.ts';

/** The rules of a branch; undefined when it has none. */
export function rulesOf(store: Store, repository: Repository, branch: string): BranchRules | undefined {
  return store.state.branchRules.find((each) => each.repositoryId === repository.id && each.branch === branch);
}

/** The required checks of a branch by their state at a commit: names of check runs. */
export interface RequiredChecks {
  readonly failed: readonly string[];
  /** Not completed, or not there at all. */
  readonly pending: readonly string[];
}

/** Finds the required checks that have not passed. The newest check run of each name counts. */
export function findUnmetChecks(store: Store, repository: Repository, branch: string, sha: string): RequiredChecks {
  const required = rulesOf(store, repository, branch)?.requiredChecks ?? [];
  const latest = latestOf(runsAt(store, repository, sha));
  const unmet = { failed: [] as string[], pending: [] as string[] };
  for (const name of required) {
    const conclusion = latest.find((run) => run.name === name)?.conclusion ?? null;
    if (conclusion === null) unmet.pending.push(name);
    else if (!PASSING.includes(conclusion)) unmet.failed.push(name);
  }
  return unmet;
}

/** Whether a merge queue, and nobody else, writes to this branch. */
export function isGroupBranch(branch: string): boolean {
  return branch.startsWith(GROUP_BRANCHES);
}

export const GROUP_BRANCHES = 'gh-readonly-queue/';

const PASSING: readonly CheckConclusion[] = ['success', 'neutral', 'skipped'];
