/**
 * Who pushed commits to the deployed branch, or merged them into it, by the forge's own record of what moved the branch. A commit
 * itself names whomever its author likes, and a push comes through Temporal, where somebody else may leave it out.
 */
import { policyFor } from '@nereid/config';
import { fullName, type Repository } from '@nereid/domain/root';
import { RevisionGoneError, type Lineage } from '@nereid/git';
import { ForgeRefusedError, isBot, together, type BranchMove, type Contributors } from '@nereid/forge';
import { fetchBriefly } from './fetch-briefly.ts';
import type { RevisionTools } from '../root/revision-tools.ts';

/** By commit. The forge's record says nothing of a commit that is missing here. */
export type Pushers = ReadonlyMap<string, Contributors>;

/** The branch whose pushes are deployed; undefined for a repository that is no longer allowed. */
export async function deployedBranch(
  { context: { forge, server } }: Pick<RevisionTools, 'context'>,
  repository: Repository,
): Promise<string | undefined> {
  const policy = policyFor(server.current(), fullName(repository));
  return policy && (policy.branch ?? forge.repositories.defaultBranch(repository));
}

/** Throws `StillFetchingError`. */
export async function pushersOf(
  call: RevisionTools,
  repository: Repository,
  branch: string | undefined,
  shas: readonly string[],
): Promise<Pushers> {
  if (branch === undefined || shas.length === 0) return new Map();
  const { forge } = call.context;
  let found: Pushers = new Map();
  try {
    await forge.repositories.movesOf(repository, branch, async ({ moves }) => {
      found = pushersIn(moves, await lineageOf(call, repository, moves, shas), shas);
      return shas.every((sha) => found.has(sha));
    });
  } catch (error) {
    // Enterprise Servers of some age have no such record.
    if (!(error instanceof ForgeRefusedError)) throw error;
  }
  return found;
}

const NO_LINEAGE: Lineage = new Map();

/** Git is asked only about commits that were not pushed last in their push. */
async function lineageOf(
  call: RevisionTools,
  repository: Repository,
  moves: readonly BranchMove[],
  shas: readonly string[],
): Promise<Lineage> {
  const { mirrors } = call.context;
  const heads = new Set(moves.map(({ after }) => after));
  const [newest] = heads;
  if (newest === undefined || shas.every((sha) => heads.has(sha))) return NO_LINEAGE;
  try {
    await fetchBriefly(call.context, repository, [newest]);
  } catch (error) {
    // Deleted, or forced since: what is here has to do.
    if (!(error instanceof RevisionGoneError)) throw error;
  }
  return mirrors.lineage(repository, [...heads], call.signal);
}

/** A move brought a commit if the branch had it after the move, and not before. */
export function pushersIn(moves: readonly BranchMove[], lineage: Lineage, shas: readonly string[]): Pushers {
  const children = childrenIn(lineage);
  const found = new Map<string, Contributors>();
  for (const sha of shas) {
    const having = withDescendants(children, sha);
    const brought = moves.filter(({ before, after }) => having.has(after) && !having.has(before));
    if (brought.length > 0) found.set(sha, together(brought.map(personBehind)));
  }
  return found;
}

/** An App pushes for somebody, who may have told it what. */
function personBehind({ by }: BranchMove): Contributors {
  return { people: by ? [by] : [], hasUnknown: by === undefined || isBot(by) };
}

function childrenIn(lineage: Lineage): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const [sha, parents] of lineage) {
    for (const parent of parents) {
      const known = children.get(parent);
      if (known) known.push(sha);
      else children.set(parent, [sha]);
    }
  }
  return children;
}

function withDescendants(children: ReadonlyMap<string, readonly string[]>, sha: string): ReadonlySet<string> {
  const found = new Set([sha]);
  // A set that grows is gone through to its end.
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child);
  return found;
}
