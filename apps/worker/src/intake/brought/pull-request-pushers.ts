/**
 * Who pushed to the branch of a pull request, by GitHub's own record of what moved it: a commit names whomever its author likes.
 * The record goes by the branch's name and outlives the branch, which many organisations delete at the merge.
 */
import type { Repository } from '@nereid/contracts';
import { RevisionGoneError } from '@nereid/git';
import {
  GitHubRefusedError,
  together,
  type BranchMove,
  type BringingPullRequest,
  type Contributors,
} from '@nereid/github';
import type { RevisionTools } from '../intake-call.ts';

export interface PullRequestPushers extends Contributors {
  /** The commits by which other pull requests were merged into its branch. */
  readonly merges: readonly string[];
}

/** The record of a fork is not ours to read, and everybody whom its owner lets may push there. */
const SOMEBODY: PullRequestPushers = { people: [], hasUnknown: true, merges: [] };

/**
 * Everybody who moved it since it was created, or since it had nothing that its base branch lacked. Somebody unknown is among them
 * where the record does not go back so far.
 */
export async function pushersOfPullRequest(
  call: RevisionTools,
  repository: Repository,
  pullRequest: BringingPullRequest,
): Promise<PullRequestPushers> {
  if (pullRequest.fromFork) return SOMEBODY;
  const { github } = call.context;
  let found: PullRequestPushers | undefined;
  try {
    await github.repositories.movesOf(repository, pullRequest.headBranch, async (moves) => {
      found = peopleIn(moves, pullRequest, await alreadyInBase(call, repository, pullRequest, moves));
      return found !== undefined;
    });
  } catch (error) {
    // Enterprise Servers of some age have no such record.
    if (!(error instanceof GitHubRefusedError)) throw error;
  }
  return found ?? SOMEBODY;
}

/** A branch that lives on after its merges has moves that brought something to earlier ones. */
async function alreadyInBase(
  { context: { mirrors }, signal }: RevisionTools,
  repository: Repository,
  { baseSha }: BringingPullRequest,
  moves: readonly BranchMove[],
): Promise<ReadonlySet<string>> {
  const shas = [...new Set(moves.map(({ after }) => after))].filter((sha) => !isNone(sha));
  if (shas.length === 0) return new Set();
  try {
    return new Set(await mirrors.contained(repository, baseSha, shas, signal));
  } catch (error) {
    // The base was forced since, and the server has removed that commit.
    if (!(error instanceof RevisionGoneError)) throw error;
    return new Set();
  }
}

/** Undefined where the moves, the newest first, do not go back to the beginning of the pull request. */
export function peopleIn(
  moves: readonly BranchMove[],
  { headSha }: Pick<BringingPullRequest, 'headSha'>,
  inBase: ReadonlySet<string>,
): PullRequestPushers | undefined {
  // Another branch of the same name may have come afterwards.
  const last = moves.findIndex(({ after }) => after === headSha);
  if (last === -1) return undefined;
  const own = moves.slice(last);
  const begin = own.findIndex(({ before, after }) => isNone(before) || inBase.has(after));
  if (begin === -1) return undefined;
  const bringing = own.slice(0, begin + 1).filter(({ after }) => !inBase.has(after));
  const people = bringing.map(({ by }) => by);
  return {
    ...together([{ people: people.flatMap((person) => person ?? []), hasUnknown: people.includes(undefined) }]),
    merges: bringing.filter(({ isMerge }) => isMerge).map(({ after }) => after),
  };
}

function isNone(sha: string): boolean {
  return /^0+$/.test(sha);
}
