/** The commit of a run that waits, as git and discovery know it. */
import { isAwaited, placeOf, policyFor, type ProtectionRule, type RepositoryPolicy } from '@nereid/config';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import { RevisionGoneError, type RevisionRange } from '@nereid/git';
import { discoverIn } from '../root/discover.ts';
import { isWithin } from '../root/is-within.ts';
import type { RevisionTools } from '../root/revision-tools.ts';

/** The branch that is deployed, as it is on the server at this moment. */
export interface DeployedBranch {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly name: string;
  readonly head: string | undefined;
  /** Everything up to this commit has reached its lanes; undefined before the first look at the repository. */
  readonly reconciledTo: string | undefined;
}

/** The roots among some that rules are about. */
export interface Matches {
  readonly rootNames: ReadonlySet<string>;
  /** They are about none of the roots: nothing is checked by them. */
  readonly idleRules: readonly ProtectionRule[];
  /** Globs of the other rules that match none of the roots. */
  readonly unmatched: readonly string[];
}

/** Its matches are those among all of its roots. */
export interface JudgedCommit extends Pick<DeployedBranch, 'repository' | 'reconciledTo'>, Matches {
  readonly sha: string;
  /** Whether another commit contains this one. */
  isIn(head: string): Promise<boolean>;
  /**
   * The names of the roots that this commit changes, compared with another one, or with what both have in common: all of them, where
   * the other one is gone, or both have nothing in common.
   */
  changedSince(from: string): Promise<ReadonlySet<string>>;
}

/** Answers of discovery, which stay while the server's file does. */
export interface KnownMatches {
  get(key: string): Matches | undefined;
  set(key: string, matches: Matches): unknown;
}

/** The configuration of the commit cannot be read, so nobody knows which roots it has. */
export class UnreadableCommitError extends Error {
  override readonly name = 'UnreadableCommitError';
  readonly code = 'UNREADABLE_COMMIT';
  readonly file: string;

  constructor(sha: string, file: string) {
    super(`expected to read ${file} of ${sha}, found problems; its check run lists them`);
    this.file = file;
  }
}

/** Undefined where nothing of the repository is deployed. */
export async function deployedBranch(
  { context, signal }: RevisionTools,
  repository: Repository,
): Promise<DeployedBranch | undefined> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (policy === undefined) return undefined;
  const name = policy.branch ?? (await context.forge.repositories.defaultBranch(repository));
  const stored = (await context.repositoryRecords.read(repository))?.record;
  const reconciledTo = stored?.branch === name ? stored.reconciledTo : undefined;
  return { repository, policy, name, reconciledTo, head: await context.mirrors.branchHead(repository, name, signal) };
}

/** Throws `UnreadableCommitError`. */
export async function readCommit(
  tools: RevisionTools,
  branch: DeployedBranch,
  sha: string,
  rules: readonly ProtectionRule[],
  known: KnownMatches,
): Promise<JudgedCommit> {
  const { repository, policy, reconciledTo } = branch;
  async function matchesIn(key: string, range: RevisionRange): Promise<Matches> {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = await discoverIn(tools, { repository, policy, range });
    if (found.kind === 'problems') throw new UnreadableCommitError(sha, found.file);
    const roots = found.modified.map(({ root }) => root);
    const matches = matchesOf(rules, roots);
    known.set(key, matches);
    return matches;
  }
  const keyOf = (from: string) => JSON.stringify([fullName(repository), from, sha, rules]);
  const matches = await matchesIn(keyOf(''), { kind: 'everything', sha });
  return {
    ...{ repository, reconciledTo, sha },
    ...matches,
    isIn: (head) => isWithin(tools, repository, sha, head),
    async changedSince(from) {
      const before = known.get(keyOf(from));
      if (before !== undefined) return before.rootNames;
      if (!(await areComparable(tools, repository, from, sha))) return matches.rootNames;
      return (await matchesIn(keyOf(from), { kind: 'push', before: from, after: sha })).rootNames;
    },
  };
}

function matchesOf(rules: readonly ProtectionRule[], roots: readonly Root[]): Matches {
  const places = roots.map(placeOf);
  const isIdle = (rule: ProtectionRule) => !places.some((place) => isAwaited([rule], place));
  const idleRules = rules.filter(isIdle);
  const others = rules.filter((rule) => !idleRules.includes(rule));
  return {
    rootNames: new Set(roots.filter((root) => isAwaited(rules, placeOf(root))).map(({ name }) => name)),
    idleRules,
    unmatched: others.flatMap((rule) => rule.roots.filter((glob) => isIdle({ ...rule, roots: [glob] }))),
  };
}

/** False once a forced push has left one of them behind, and it is gone: then nobody knows what differs. */
async function areComparable(
  { context: { mirrors }, signal }: RevisionTools,
  repository: Repository,
  from: string,
  sha: string,
): Promise<boolean> {
  try {
    return (await mirrors.mergeBase(repository, from, sha, signal)) !== undefined;
  } catch (error) {
    if (error instanceof RevisionGoneError) return false;
    throw error;
  }
}
