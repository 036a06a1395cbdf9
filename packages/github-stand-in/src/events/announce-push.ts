import { NO_COMMIT, readBranches } from '../git/bare-repository.ts';
import { readChangedPaths } from '../git/changed-files.ts';
import { isAncestor, readCommits } from '../git/history.ts';
import { pushedCommitJson } from '../json/commit-json.ts';
import type { Json } from '../json/json.ts';
import type { Repository } from '../state/model.ts';
import { findAccount, signatureOf } from '../state/accounts.ts';
import { now } from '../state/store.ts';
import { emit } from './emit.ts';
import { directoryOf, type World } from '../world.ts';
import { recordActivity } from './activities.ts';
import type { BranchMove } from './branch-move.ts';
import { requestCheckSuite } from './check-suites.ts';
import { followBranch } from './pull-requests-follow.ts';

/** GitHub lists at most this many commits in a push webhook. */
const COMMITS_LIMIT = 2048;

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

async function pushPayload(world: World, repository: Repository, move: BranchMove, by: string): Promise<Json> {
  const { branch, before, after } = move;
  const [created, deleted] = [before === NO_COMMIT, after === NO_COMMIT];
  const directory = directoryOf(world, repository);
  const commits = deleted ? [] : await readPushed(world, repository, move);
  const page = `${world.url}/${repository.owner}/${repository.name}`;
  const { name, email } = signatureOf(world.store, by);
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
    pusher: { name, email: findAccount(world.store, by)?.type === 'Bot' ? null : email },
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
