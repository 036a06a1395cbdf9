/**
 * Who pushed to the branch of a pull request, by the forge's own record of what moved it: a commit names whomever its author likes.
 * The record goes by the branch's name and outlives the branch, which many organisations delete at the merge.
 */
import type { Repository } from '@nereid/domain/root';
import { RevisionGoneError } from '@nereid/git';
import {
  ForgeRefusedError,
  together,
  type BranchMove,
  type BringingPullRequest,
  type Contributors,
  type ReadMoves,
} from '@nereid/forge';
import type { RevisionTools } from '../root/revision-tools.ts';

export interface PullRequestPushers extends Contributors {
  /** The commits by which other pull requests were merged into its branch. */
  readonly merges: readonly string[];
}

/** The record of a fork is not ours to read, and everybody whom its owner lets may push there. */
const SOMEBODY: PullRequestPushers = { people: [], hasUnknown: true, merges: [] };

/**
 * Everybody who moved it since it was created, or since it had nothing that its base branch lacked. Somebody unknown is among
 * them where the record does not go back so far.
 */
export async function pushersOfPullRequest(
  call: RevisionTools,
  repository: Repository,
  pullRequest: BringingPullRequest,
): Promise<PullRequestPushers> {
  if (pullRequest.fromFork) return SOMEBODY;
  const { forge } = call.context;
  let found: PullRequestPushers | undefined;
  try {
    await forge.repositories.movesOf(repository, pullRequest.headBranch, async (read) => {
      found = peopleIn(read, pullRequest, await alreadyInBase(call, repository, pullRequest, read.moves));
      return found !== undefined;
    });
  } catch (error) {
    // Enterprise Servers of some age have no such record.
    if (!(error instanceof ForgeRefusedError)) throw error;
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

/** Undefined where the moves do not go back to the beginning of the pull request. */
export function peopleIn(
  read: ReadMoves,
  { headSha }: Pick<BringingPullRequest, 'headSha'>,
  inBase: ReadonlySet<string>,
): PullRequestPushers | undefined {
  const bringing = movesBringing(headSha, read, inBase);
  if (bringing === undefined) return undefined;
  const people = bringing.map(({ by }) => by);
  return {
    ...together([{ people: people.flatMap((person) => person ?? []), hasUnknown: people.includes(undefined) }]),
    merges: bringing.filter(({ isMerge }) => isMerge).map(({ after }) => after),
  };
}

/** A deleted branch can be restored, by whoever likes, with all that others pushed to it. */
function movesBringing(
  sha: string,
  { moves, isWhole }: ReadMoves,
  inBase: ReadonlySet<string>,
): readonly BranchMove[] | undefined {
  // Another branch of the same name may have come afterwards.
  const last = moves.findIndex(({ after }) => after === sha);
  if (last === -1) return undefined;
  const begin = moves.findIndex(({ before, after }, at) => at >= last && (isNone(before) || inBase.has(after)));
  const first = moves[begin];
  if (first === undefined) return undefined;
  const bringing = moves.slice(last, begin + 1).filter(({ after }) => !inBase.has(after));
  if (inBase.has(first.after)) return bringing;
  const older = moves.slice(begin + 1);
  if (older.some(({ after }) => after === first.after)) {
    const restored = movesBringing(first.after, { moves: older, isWhole }, inBase);
    return restored && [...bringing, ...restored];
  }
  return isWhole && beginsWithCreation(moves) ? bringing : undefined;
}

/** The forge may have forgotten what came before another move. */
function beginsWithCreation(moves: readonly BranchMove[]): boolean {
  const oldest = moves.at(-1);
  return oldest !== undefined && isNone(oldest.before);
}

function isNone(sha: string): boolean {
  return /^0+$/.test(sha);
}
