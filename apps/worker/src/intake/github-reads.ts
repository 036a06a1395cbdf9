/** Two facts about a repository that check runs and pull requests do not tell. */
import type { Repository } from '@nereid/contracts';
import { GitHubRefusedError, GitHubUnavailableError } from '@nereid/github';
import { z } from 'zod';
import type { IntakeCall } from './intake-call.ts';

const RepositoryFacts = z.object({ default_branch: z.string() });

const Person = z.object({ login: z.string() }).partial().nullish();
const CommitFacts = z.object({
  author: Person,
  committer: Person,
  parents: z.array(z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) })),
});

export async function defaultBranch(call: IntakeCall, repository: Repository): Promise<string> {
  return (await ask(call, repository, '', RepositoryFacts)).default_branch;
}

/** GitHub logins of who wrote and who merged a revision: of a merge commit, of what it merged too. */
export async function authorsOf(call: IntakeCall, repository: Repository, sha: string): Promise<readonly string[]> {
  const commit = await ask(call, repository, `/commits/${sha}`, CommitFacts);
  const [, ...mergedParents] = commit.parents;
  const merged = await Promise.all(
    mergedParents.map((parent) => ask(call, repository, `/commits/${parent.sha}`, CommitFacts)),
  );
  return [commit, ...merged].flatMap(({ author, committer }) => [author?.login ?? [], committer?.login ?? []].flat());
}

/** As long as GitHub itself works on a request. */
const REQUEST_MS = 10_000;

async function ask<T>(call: IntakeCall, repository: Repository, path: string, schema: z.ZodType<T>): Promise<T> {
  const { github, config } = call.context;
  const token = await github.installationToken(repository, { contents: 'read' });
  const url = `${config.github.apiUrl}/repos/${repository.owner}/${repository.name}${path}`;
  const response = await fetchFrom(url, token, call.signal);
  const answer: unknown = await response.json();
  return schema.parse(answer);
}

async function fetchFrom(url: string, token: string, signal: AbortSignal): Promise<Response> {
  const route = `GET ${new URL(url).pathname}`;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'nereid' };
  const response = await attempt(() =>
    fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]) }),
  );
  if (response instanceof Error) throw new GitHubUnavailableError(route, 0, undefined, { cause: response });
  if (response.ok) return response;
  if (isPassing(response.status)) throw new GitHubUnavailableError(route, response.status, undefined, {});
  throw new GitHubRefusedError(route, response.status, response.statusText, {});
}

async function attempt(request: () => Promise<Response>): Promise<Response | Error> {
  try {
    return await request();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Server errors, and limits, which GitHub reports as 403 as well. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 403;
}
