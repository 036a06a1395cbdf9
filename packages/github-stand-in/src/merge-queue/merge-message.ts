import type { MergeKind } from '../git/merge.ts';
import type { PullRequest, Repository } from '../state/model.ts';

/** The message that GitHub gives the commit of a merge, unless a person writes another. */
export function mergeMessage(repository: Repository, pr: PullRequest, kind: MergeKind): string {
  if (kind === 'squash') return `${pr.title} (#${pr.number})`;
  return `Merge pull request #${pr.number} from ${repository.owner}/${pr.headBranch}\n\n${pr.title}`;
}
