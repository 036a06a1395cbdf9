import { NO_COMMIT, isBranchName, moveBranch, readBranches, resolveCommit } from '../git/bare-repository.ts';
import { readChangedPaths } from '../git/changed-files.ts';
import { isAncestor, readCommits } from '../git/history.ts';
import { writeCommit, type FileChanges } from '../git/write-commit.ts';
import { pushedCommitJson } from '../json/commit-json.ts';
import type { Json } from '../json/json.ts';
import type { Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { emit } from '../webhooks/events.ts';
import { directoryOf, type World } from '../world.ts';
import { recordActivity } from './activities.ts';
import { requestCheckSuite } from './check-suites.ts';
import { followBranch } from './pull-requests-follow.ts';
import { ImpossibleError, signatureOf } from './repositories.ts';

export interface CommitInput {
  readonly branch: string;
  readonly files: FileChanges;
  readonly message: string;
  /** Login. */
  readonly author: string;
  /** Where the branch begins if it is new: a branch or a SHA. The default branch unless given. */
  readonly createFrom?: string;
}

/** A branch that moved; `NO_COMMIT` on one side when it was created or deleted. */
export interface BranchMove {
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  /** Somebody merged a pull request into the branch. */
  readonly isMerge?: boolean;
}

/** GitHub lists at most this many commits in a push webhook. */
const COMMITS_LIMIT = 2048;

/** Commits to a branch as a push of one commit, webhooks included. Returns the commit's SHA. */
export async function commitFiles(world: World, repository: Repository, input: CommitInput): Promise<string> {
  return world.serialise(repoKey(repository), async () => {
    const directory = directoryOf(world, repository);
    const before = (await readBranches(directory)).get(input.branch);
    if (before === undefined && !(await isBranchName(directory, input.branch))) {
      throw new ImpossibleError(`"${input.branch}" is not a valid branch name`);
    }
    const from = input.createFrom ?? repository.defaultBranch;
    const parent = before ?? (await resolveCommit(directory, from));
    if (parent === undefined) throw new ImpossibleError(`${input.branch} cannot begin at ${from}: no such commit`);
    const author = signatureOf(world, input.author);
    const { branch, files, message } = input;
    const after = await writeCommit(directory, { branch, parent, files, message, author });
    await announcePush(world, repository, [{ branch, before: before ?? NO_COMMIT, after }], input.author);
    return after;
  });
}

/** Moves a branch to any commit, whether or not that commit follows the present one. */
export async function forcePush(world: World, repository: Repository, branch: string, to: string, by: string) {
  return world.serialise(repoKey(repository), async () => {
    const directory = directoryOf(world, repository);
    const before = (await readBranches(directory)).get(branch) ?? NO_COMMIT;
    const after = await resolveCommit(directory, to);
    if (after === undefined) throw new ImpossibleError(`${branch} cannot be moved to ${to}: no such commit`);
    await moveBranch(directory, branch, before, after);
    await announcePush(world, repository, [{ branch, before, after }], by);
    return after;
  });
}

/** Tells the App, and everything that depends on the branches, that they have moved. */
export async function announcePush(
  world: World,
  repository: Repository,
  moves: readonly BranchMove[],
  by: string,
): Promise<void> {
  repository.pushedAt = now();
  for (const move of moves) {
    await recordActivity(world, repository, move, by);
    emit(world, { event: 'push', repository, sender: by, payload: await pushPayload(world, repository, move, by) });
    if (move.after !== NO_COMMIT) await requestCheckSuite(world, repository, move, by);
    await followBranch(world, repository, move, by);
  }
  world.store.changed();
}

export function movesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): BranchMove[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((branch) => ({
      branch,
      before: before.get(branch) ?? NO_COMMIT,
      after: after.get(branch) ?? NO_COMMIT,
    }))
    .filter((move) => move.before !== move.after);
}

/** The key under which writes to a repository are serialised. */
export function repoKey(repository: Repository): string {
  return `repository/${repository.id}`;
}

async function pushPayload(world: World, repository: Repository, move: BranchMove, by: string): Promise<Json> {
  const { branch, before, after } = move;
  const [created, deleted] = [before === NO_COMMIT, after === NO_COMMIT];
  const directory = directoryOf(world, repository);
  const commits = deleted ? [] : await readPushed(world, repository, move);
  const page = `${world.url}/${repository.owner}/${repository.name}`;
  const { name, email } = signatureOf(world, by);
  return {
    ref: `refs/heads/${branch}`,
    before,
    after,
    created,
    deleted,
    forced: !created && !deleted && !(await isAncestor(directory, before, after)),
    base_ref: null,
    compare: created ? `${page}/commit/${after}` : `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: deleted ? null : (commits.at(-1) ?? (await readHead(world, repository, after))),
    pusher: { name, email },
  };
}

/** The commits that this push brought to the branch, oldest first. */
async function readPushed(world: World, repository: Repository, move: BranchMove): Promise<Json[]> {
  const directory = directoryOf(world, repository);
  const others = [...(await readBranches(directory))].filter(([branch]) => branch !== move.branch);
  const known = move.before === NO_COMMIT ? others.map(([, sha]) => sha) : [move.before];
  const range = [`--max-count=${COMMITS_LIMIT}`, '--reverse', move.after, ...known.map((sha) => `^${sha}`)];
  return describe(world, repository, range);
}

async function readHead(world: World, repository: Repository, sha: string): Promise<Json | undefined> {
  return (await describe(world, repository, ['--max-count=1', sha]))[0];
}

async function describe(world: World, repository: Repository, range: readonly string[]): Promise<Json[]> {
  const directory = directoryOf(world, repository);
  const commits = await readCommits(directory, range);
  const changed = await readChangedPaths(
    directory,
    commits.map(({ sha }) => sha),
  );
  return commits.map((commit) =>
    pushedCommitJson(world, repository, commit, changed.get(commit.sha) ?? { added: [], removed: [], modified: [] }),
  );
}
