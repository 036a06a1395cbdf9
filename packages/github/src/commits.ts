import { LOGIN_SOURCE } from '@nereid/domain/person';
import type { Repository } from '@nereid/domain/root';
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import type { Clients } from './client/clients.ts';
import { inPages, PAGE_SIZE, PAGES_LIMIT } from './client/pages.ts';
import {
  isBot,
  together,
  type BringingPullRequest,
  type CommitContributors,
  type Commits,
  type Contributors,
  type Person,
} from '@nereid/forge';
import { GitHubRefusedError } from './errors.ts';
import { personOf } from './people/account.ts';
import { isAnother } from './pull-request/pull-requests.ts';

/** One answer serves a person who confirms twenty plans of a merged revision at once. */
const FRESH_MS = 60_000;

/** A kilobyte each. */
const KEPT = 500;

export function createCommits(clients: Clients): Omit<Commits, 'compare'> {
  const asked = new LRUCache<string, Promise<CommitContributors>>({ max: KEPT, ttl: FRESH_MS });
  return {
    contributors(repository, sha) {
      const key = JSON.stringify([repository.installationId, repository.owner, repository.name, sha]);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const asking = askContributors(clients, repository, sha);
      const answer = asking.then(({ contributors }) => contributors);
      asked.set(key, answer);
      // Until it is merged, the merge may come at any moment, and it says who brought it to the branch.
      asking.then(
        ({ isMerged }) => isMerged || asked.delete(key),
        () => asked.delete(key),
      );
      return answer;
    },
    pullRequests: (repository, sha) => pullRequestsWith(clients, repository, sha),
  };
}

/** A merge has two parents, hardly ever three. */
const HEADS_READ = 10;

interface Asked {
  readonly contributors: CommitContributors;
  /** Whether all pull requests that have it are merged, and there are some. */
  readonly isMerged: boolean;
}

async function askContributors(clients: Clients, repository: Repository, sha: string): Promise<Asked> {
  const { owner, name: repo } = repository;
  const commitAt = (ref: string) =>
    clients.ask(repository, 'GET commit', (octokit) => readCommit(octokit, { owner, repo, ref }));
  const pullRequestAt = (number: number) =>
    clients.ask(repository, 'GET pull request', (octokit) => readPullRequest(octokit, { owner, repo, number }));

  const { parents, ...commit } = await commitAt(sha);
  const [, ...heads] = parents;
  const numbers = await pullRequestsWith(clients, repository, sha);
  const merged = await Promise.all(heads.slice(0, HEADS_READ).map((ref) => orHidden(commitAt(ref))));
  const pulls = await Promise.all(numbers.map((number) => orHidden(pullRequestAt(number))));
  const isCut = heads.length > HEADS_READ || numbers.length >= PULL_REQUESTS_READ;
  const isHidden = [...merged, ...pulls].includes(HIDDEN);
  const commits = [...merged.filter(isShown), ...pulls.filter(isShown).flatMap((pull) => pull.commits)];
  const all = together([
    peopleBehind([commit, ...commits]),
    ...pulls.filter(isShown).map(({ people }) => people),
    { people: [], hasUnknown: isCut || isHidden },
  ]);
  const mergedInto = pulls.filter(isShown).flatMap((pull) => pull.mergedInto ?? []);
  const shas = [...new Set([commit, ...commits].map((one) => one.sha))];
  return {
    contributors: {
      ...all,
      shas,
      mergedInto,
      pullRequests: pulls.filter(isShown).map(({ pullRequest }) => pullRequest),
    },
    isMerged: pulls.length > 0 && mergedInto.length === pulls.length,
  };
}

function pullRequestsWith(clients: Clients, repository: Repository, sha: string): Promise<readonly number[]> {
  const { owner, name: repo } = repository;
  return clients.ask(repository, 'GET pull requests', (octokit) => pullRequestsOf(octokit, { owner, repo, sha }));
}

/** What GitHub does not give out, such as the pull request of an account that it hides. */
const HIDDEN = 'hidden';

async function orHidden<T>(answer: Promise<T>): Promise<T | typeof HIDDEN> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitHubRefusedError && [404, 422].includes(error.status)) return HIDDEN;
    throw error;
  }
}

function isShown<T>(answer: T | typeof HIDDEN): answer is T {
  return answer !== HIDDEN;
}

interface InRepository {
  readonly owner: string;
  readonly repo: string;
}

/** The parts of GitHub's answer that name people. */
interface Commit {
  readonly sha: string;
  readonly author: object | null;
  readonly committer: object | null;
  readonly commit: {
    readonly message: string;
    readonly author: { readonly email?: string } | null;
    readonly committer: { readonly email?: string } | null;
  };
}

async function readCommit(
  octokit: Octokit,
  { owner, repo, ref }: InRepository & { readonly ref: string },
): Promise<Commit & { readonly parents: readonly string[] }> {
  // Only the people matter; a page of one file keeps the answer small.
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', { owner, repo, ref, per_page: 1 });
  return { ...personal(data), parents: data.parents.map(({ sha }) => sha) };
}

function personal({ sha, author, committer, commit }: Commit): Commit {
  return { sha, author, committer, commit };
}

/** Nobody brings one commit with more pull requests. */
const PULL_REQUESTS_READ = 10;

async function pullRequestsOf(
  octokit: Octokit,
  { owner, repo, sha }: InRepository & { readonly sha: string },
): Promise<readonly number[]> {
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    owner,
    repo,
    commit_sha: sha,
    per_page: PULL_REQUESTS_READ,
  });
  return data.map(({ number }) => number);
}

/** GitHub lists no more commits of a pull request. */
const COMMITS_LISTED = 250;

interface ReadPullRequest {
  readonly pullRequest: BringingPullRequest;
  readonly people: Contributors;
  readonly commits: readonly Commit[];
  /** Undefined while it is not merged. */
  readonly mergedInto: string | undefined;
}

async function readPullRequest(
  octokit: Octokit,
  { owner, repo, number }: InRepository & { readonly number: number },
): Promise<ReadPullRequest> {
  const pull = { owner, repo, pull_number: number };
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', pull);
  const commits = await inPages(async (page) => {
    const request = { ...pull, per_page: PAGE_SIZE, page };
    const listed = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', request);
    return listed.data.map(personal);
  });
  const people = [data.user, data.merged_by].flatMap((account) => personOf(account) ?? []);
  const enqueued = data.merged_by?.login === MERGE_QUEUE ? await readEnqueuers(octokit, { owner, repo, number }) : [];
  const hasUnknown = commits.length >= COMMITS_LISTED || enqueued.includes(undefined);
  const known = [...people, ...enqueued.flatMap((person) => person ?? [])];
  return {
    pullRequest: {
      number,
      headBranch: data.head.ref,
      headSha: data.head.sha,
      baseSha: data.base.sha,
      fromFork: isAnother(data.head.repo, data.base.repo),
    },
    people: { people: known, hasUnknown },
    commits,
    mergedInto: data.merged ? data.base.ref : undefined,
  };
}

/** Merges and pushes for every merge queue, whoever put the pull request into it. */
const MERGE_QUEUE = 'github-merge-queue[bot]';

/** Everybody who put it into a merge queue; undefined for one whom GitHub does not tell. */
async function readEnqueuers(
  octokit: Octokit,
  { owner, repo, number }: InRepository & { readonly number: number },
): Promise<readonly (Person | undefined)[]> {
  let count = 0;
  const found = await inPages(async (page) => {
    const request = { owner, repo, issue_number: number, per_page: PAGE_SIZE, page };
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/timeline', request);
    count += data.length;
    // Only what is needed of it: a timeline has the texts of comments.
    return data.map(({ event, ...more }) => ({ event, actor: 'actor' in more ? more.actor : undefined }));
  });
  const enqueued = found.filter(({ event }) => event === 'added_to_merge_queue').map(({ actor }) => actor);
  const asked = found.filter(({ event }) => AUTO_MERGES.includes(event ?? '')).map(({ actor }) => actor);
  const people = [...enqueued, ...asked].map((actor) => personOf(actor));
  const isCut = count >= PAGES_LIMIT * PAGE_SIZE;
  // A bot has done so for somebody; whoever asked for an auto-merge may be another person.
  const isHidden = enqueued.length === 0 || people.some((person) => person && isBot(person));
  return isHidden || isCut ? [...people, undefined] : people;
}

const AUTO_MERGES: readonly string[] = ['auto_merge_enabled', 'auto_squash_enabled', 'auto_rebase_enabled'];

/** A co-author is known by the address that GitHub gives to everybody, or by one that another of the commits has. */
function peopleBehind(commits: readonly Commit[]): Contributors {
  const byAddress = new Map(commits.flatMap(addressesOf));
  const people = commits.flatMap(({ author, committer, commit }) => [
    personOf(author),
    ...(isGitHub(commit.committer) ? [] : [personOf(committer)]),
    ...coAuthorsOf(commit.message).map((address) => byAddress.get(address) ?? personIn(address)),
  ]);
  return together([{ people: people.flatMap((person) => person ?? []), hasUnknown: people.includes(undefined) }]);
}

function addressesOf({ author, committer, commit }: Commit): readonly (readonly [string, Person])[] {
  const pairs = [
    [commit.author?.email, personOf(author)],
    [commit.committer?.email, personOf(committer)],
  ] as const;
  return pairs.flatMap(([address, person]) => (address && person ? [[address.toLowerCase(), person] as const] : []));
}

/** The committer of what people merge and edit on GitHub's pages. */
function isGitHub(committer: Commit['commit']['committer']): boolean {
  return committer?.email === 'noreply@github.com';
}

/** Nobody works with more people at once. */
const CO_AUTHORS_READ = 50;

/** The addresses in the trailers of a message, in lower case. */
function coAuthorsOf(message: string): readonly string[] {
  const trailers = message.matchAll(/^co-authored-by:[^<\n]{0,200}<(?<address>[^<>\s]{1,254})>/gim);
  return [...trailers].slice(0, CO_AUTHORS_READ).map(({ groups }) => groups?.['address']?.toLowerCase() ?? '');
}

/** The person in an address that GitHub gives: `1234+login@users.noreply.github.com`; older ones have no id. */
function personIn(address: string): Person | undefined {
  const { id, login } = NOREPLY.exec(address)?.groups ?? {};
  return login === undefined ? undefined : { login, ...(id !== undefined && { id: Number(id) }) };
}

const NOREPLY = new RegExp(String.raw`^(?:(?<id>\d{1,15})\+)?(?<login>${LOGIN_SOURCE})@users\.noreply\.github\.com$`);
