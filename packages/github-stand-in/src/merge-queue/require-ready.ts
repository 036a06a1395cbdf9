import { ImpossibleError } from '../errors.ts';
import type { PullRequest, Repository } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { findUnmetChecks } from '../state/branch-rules.ts';

/** Throws unless the pull request is open, no draft, and has passed the required checks of its base branch. */
export function requireReady(store: Store, repository: Repository, pr: PullRequest): void {
  if (pr.state !== 'open') throw new ImpossibleError(`#${pr.number} is ${pr.merged ? 'merged' : 'closed'} already`);
  if (pr.draft) throw new ImpossibleError(`#${pr.number} is a draft`);
  const { failed, pending } = findUnmetChecks(store, repository, pr.baseBranch, pr.headSha);
  const reasons = [...failed.map((name) => `${name} failed`), ...pending.map((name) => `${name} has not completed`)];
  if (reasons.length === 0) return;
  throw new ImpossibleError(
    `${pr.baseBranch} requires checks that #${pr.number} has not passed: ${reasons.join(', ')}`,
  );
}
