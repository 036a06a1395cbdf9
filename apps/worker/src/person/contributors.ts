/** Who brought a change: nobody of them is the colleague whom `not_author` asks for. */
import type { Repository } from '@nereid/domain/root';
import { together, type CommitContributors, type Contributors, type Person } from '@nereid/forge';
import type { RevisionTools } from '../root/revision-tools.ts';
import { askContributors, peopleOfPullRequests } from './ask-contributors.ts';
import { deployedBranch, pushersOf } from './pushers.ts';

export interface Brought {
  /** All contributors of these revisions count. */
  readonly shas: readonly string[];
  /** People who brought it in another way: they pushed or merged it, or asked for it. */
  readonly people: readonly Person[];
  /** Whether other revisions may have brought it, too. */
  readonly hasMore: boolean;
  /** Whether it may be a change that is not on the deployed branch yet: then nobody needs to have brought it there. */
  readonly mayBeProposed?: boolean;
}

/** A request about one revision, of which no more is known. */
export function broughtBy(sha: string): Brought {
  return { shas: [sha], people: [], hasMore: false, mayBeProposed: true };
}

/**
 * The people of each revision, unless another one's pull request has it, too, and the people who pushed to the branches of these
 * pull requests. For revisions that no pull request brought to the deployed branch, it is the people who pushed them.
 */
export async function contributorsOf(
  call: RevisionTools,
  repository: Repository,
  { shas, people, hasMore, mayBeProposed = false }: Brought,
): Promise<Contributors> {
  const { found, isCut } = await askContributors(call, repository, shas);
  const branch = await deployedBranch(call, repository);
  const pushed = new Map(
    [...found].filter(([, { mergedInto }]) => branch === undefined || !mergedInto.includes(branch)),
  );
  const [pushers, ofPullRequests] = await Promise.all([
    pushersOf(call, repository, branch, [...pushed.keys()]),
    peopleOfPullRequests(call, repository, [...found.values()]),
  ]);
  const isExplained = (sha: string, { pullRequests }: CommitContributors) =>
    pushers.has(sha) || (mayBeProposed && pullRequests.length > 0);
  const hasUnknown = hasMore || isCut || ![...pushed].every(([sha, commit]) => isExplained(sha, commit));
  return together([...found.values(), ...ofPullRequests, ...pushers.values(), { people, hasUnknown }]);
}
