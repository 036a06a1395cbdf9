import { countAheadBehind, findMergeBase, isAncestor, readCommit, readCommits, type Commit } from '../git/history.ts';
import { readBranches, resolveCommit } from '../git/bare-repository.ts';
import { readChangedFiles } from '../git/changed-files.ts';
import { collaboratorJson, permissionJson, permissionsOf } from '../json/account-json.ts';
import { changedFileJson, commitJson } from '../json/commit-json.ts';
import { pullRequestSimpleJson } from '../json/pull-request-json.ts';
import { repositoryJson, repositoryUrl } from '../json/repository-json.ts';
import { rulesOf } from '../state/branch-rules.ts';
import { findAccount, roleOf, sameName } from '../state/accounts.ts';
import { directoryOf } from '../world.ts';
import { ApiRefusal, notFound, ok } from './answer.ts';
import { paged } from './pages.ts';
import type { RepositoryCall, Route } from './route.ts';

/** The empty tree, with which the first commit of a repository is compared. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** GitHub shows at most this many files of a comparison or a commit. */
const FILES_LIMIT = 300;

/** Repositories, branches, commits, comparisons, permissions. */
export const repositoryRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    access: 'repository',
    permission: ['metadata', 'read'],
    answer({ world, caller, repository }) {
      if (caller.kind !== 'user') return ok(repositoryJson(world, repository));
      const role = roleOf(repository, caller.login) ?? 'read';
      return ok({ ...repositoryJson(world, repository), permissions: permissionsOf(role) });
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches',
    access: 'repository',
    permission: ['contents', 'read'],
    async answer(call) {
      const branches = await readBranches(directoryOf(call.world, call.repository));
      return paged(call, [...branches], ([name, sha]) => {
        const url = `${repositoryUrl(call.world, call.repository)}/commits/${sha}`;
        return {
          name,
          commit: { sha, url },
          protected: rulesOf(call.world.store, call.repository, name) !== undefined,
        };
      });
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches/{branch}',
    access: 'repository',
    permission: ['contents', 'read'],
    answer: getBranch,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/matching-refs/{ref}',
    access: 'repository',
    permission: ['contents', 'read'],
    answer: listMatchingBranches,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer: listPullRequestsOfCommit,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits',
    access: 'repository',
    permission: ['contents', 'read'],
    async answer(call) {
      const sha = await requireCommit(call, call.query['sha'] ?? call.repository.defaultBranch);
      // Ten pages of the largest size are more than anybody reads.
      const commits = await readCommits(directoryOf(call.world, call.repository), ['--max-count=1000', sha]);
      return paged(call, commits, (commit) => commitJson(call.world, call.repository, commit));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/compare/{basehead}',
    access: 'repository',
    permission: ['contents', 'read'],
    answer: compare,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators',
    access: 'repository',
    permission: ['metadata', 'read'],
    answer(call) {
      const { world, repository } = call;
      const people = world.store.state.accounts.filter(
        ({ type, login }) => type === 'User' && roleOf(repository, login),
      );
      return paged(call, people, ({ login }) => collaboratorJson(world, login, roleOf(repository, login)));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    access: 'repository',
    permission: ['metadata', 'read'],
    answer({ world, repository, params }) {
      const account = findAccount(world.store, params['username'] ?? '');
      if (!account) throw new ApiRefusal(404, `${params['username'] ?? ''} is not a user`);
      return ok(permissionJson(world, repository, account));
    },
  },
];

/** Must come after every longer route with the same beginning, because `ref` may contain slashes. */
export const commitRoute: Route = {
  method: 'GET',
  path: '/repos/{owner}/{repo}/commits/{ref}',
  access: 'repository',
  permission: ['contents', 'read'],
  async answer(call) {
    const { world, repository } = call;
    const directory = directoryOf(world, repository);
    const commit = await readCommit(directory, await requireCommit(call, call.params['ref'] ?? ''));
    const files = await readChangedFiles(directory, commit.parents[0] ?? EMPTY_TREE, commit.sha);
    const additions = files.reduce((sum, file) => sum + file.additions, 0);
    const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
    return ok({
      ...commitJson(world, repository, commit),
      stats: { total: additions + deletions, additions, deletions },
      files: files.slice(0, FILES_LIMIT).map((file) => changedFileJson(world, repository, file, commit.sha)),
    });
  },
};

/** The commit that a branch, tag or SHA in the address names. */
export async function requireCommit({ world, repository }: RepositoryCall, ref: string): Promise<string> {
  // A pushed commit has a check suite, so git need not be asked whether the commit exists.
  const isPushed = world.store.state.checkSuites.some(
    (each) => each.headSha === ref && each.repositoryId === repository.id,
  );
  const sha = isPushed ? ref : await resolveCommit(directoryOf(world, repository), ref);
  if (sha === undefined) throw new ApiRefusal(422, `No commit found for SHA: ${ref}`);
  return sha;
}

/** Branches are all the refs that there are. */
async function listMatchingBranches(call: RepositoryCall) {
  const { world, repository, params } = call;
  const branches = [...(await readBranches(directoryOf(world, repository)))].map(([name, sha]) => [
    `heads/${name}`,
    sha,
  ]);
  const self = `${repositoryUrl(world, repository)}/git`;
  return ok(
    branches
      .filter(([name = '']) => name.startsWith(params['ref'] ?? ''))
      .map(([name = '', sha = '']) => ({
        ref: `refs/${name}`,
        node_id: `REF_${repository.id}_${name}`,
        url: `${self}/refs/${name}`,
        object: { sha, type: 'commit', url: `${self}/commits/${sha}` },
      })),
  );
}

async function getBranch({ world, repository, params }: RepositoryCall) {
  const directory = directoryOf(world, repository);
  const name = params['branch'] ?? '';
  const sha = (await readBranches(directory)).get(name);
  if (sha === undefined) throw new ApiRefusal(404, 'Branch not found');
  const rules = rulesOf(world.store, repository, name);
  const contexts = rules?.requiredChecks ?? [];
  const checks = contexts.map((context) => ({ context, app_id: null }));
  const self = `${repositoryUrl(world, repository)}/branches/${encodeURIComponent(name)}`;
  return ok({
    name,
    commit: commitJson(world, repository, await readCommit(directory, sha)),
    _links: { self, html: `${world.url}/${repository.owner}/${repository.name}/tree/${name}` },
    protected: rules !== undefined,
    protection: {
      enabled: rules !== undefined,
      required_status_checks: { enforcement_level: contexts.length > 0 ? 'everyone' : 'off', contexts, checks },
    },
    protection_url: `${self}/protection`,
  });
}

/** Pull requests with this merge commit, or with a head that contains the commit and a base that does not. */
async function listPullRequestsOfCommit(call: RepositoryCall) {
  const { world, repository } = call;
  const directory = directoryOf(world, repository);
  const sha = await requireCommit(call, call.params['commit_sha'] ?? '');
  const own = world.store.state.pullRequests.filter(({ repositoryId }) => repositoryId === repository.id);
  const contains = await Promise.all(
    own.map(
      async (pr) =>
        pr.merged?.sha === sha ||
        ((await isAncestor(directory, sha, pr.headSha)) && !(await isAncestor(directory, sha, pr.baseSha))),
    ),
  );
  const found = own.filter((_, index) => contains[index]);
  return paged(call, found, (pr) => pullRequestSimpleJson(world, repository, pr));
}

async function compare(call: RepositoryCall) {
  const { world, repository, params } = call;
  const directory = directoryOf(world, repository);
  const [base, head] = await Promise.all(sidesOf(call).map((ref) => resolveCommit(directory, ref)));
  if (base === undefined || head === undefined) throw notFound();
  const mergeBase = await findMergeBase(directory, base, head);
  if (mergeBase === undefined) throw new ApiRefusal(404, `No common ancestor between ${base} and ${head}.`);
  const [baseCommit, mergeBaseCommit, { ahead, behind }, commits, files] = await Promise.all([
    readCommit(directory, base),
    readCommit(directory, mergeBase),
    countAheadBehind(directory, base, head),
    readCommits(directory, ['--reverse', `${base}..${head}`]),
    readChangedFiles(directory, mergeBase, head),
  ]);
  const present = (commit: Commit) => commitJson(world, repository, commit);
  const page = `${world.url}/${repository.owner}/${repository.name}/compare/${params['basehead'] ?? ''}`;
  const firstPage = Number(call.query['page'] ?? 1) <= 1;
  const about = {
    url: `${repositoryUrl(world, repository)}/compare/${params['basehead'] ?? ''}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: present(baseCommit),
    merge_base_commit: present(mergeBaseCommit),
    status: statusOf(ahead, behind),
    ahead_by: ahead,
    behind_by: behind,
    total_commits: commits.length,
  };
  const shown = files.slice(0, FILES_LIMIT).map((file) => changedFileJson(world, repository, file, head));
  // Only the first page of commits carries the files.
  return paged(call, commits, present, (list) => ({ ...about, commits: list, ...(firstPage ? { files: shown } : {}) }));
}

/** `base...head`, each optionally with `owner:` before it. */
function sidesOf({ params, repository }: RepositoryCall): string[] {
  const sides = (params['basehead'] ?? '').split('...');
  if (sides.length !== 2) throw notFound();
  return sides.map((side) => {
    const [owner = '', ref] = side.split(':');
    if (ref === undefined) return side;
    if (!sameName(owner, repository.owner)) throw notFound();
    return ref;
  });
}

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}
