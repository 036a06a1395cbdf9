/**
 * Our check runs on GitHub.
 *
 * Creating one is not idempotent. So a create is never blindly repeated: before each further attempt the revision's
 * check runs are listed, and one of ours with the same name and external id that nobody knows yet is adopted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CheckRunRef, Repository } from '@nereid/contracts';
import type { CheckRunContent } from './check-run-content.ts';
import { withNotice } from './check-run-notice.ts';
import type { Clients } from './clients.ts';
import { GitHubRefusedError, GitHubUnavailableError } from './errors.ts';
import { ownAmong, refOf, type OwnCheckRun } from './own-check-run.ts';
import { inPages, PAGE_SIZE } from './pages.ts';

export interface CreateOptions {
  /** The ids of this deployment's check runs that are not to be adopted. */
  readonly known?: readonly number[];
  /** An earlier attempt may have created it: look first. */
  readonly mayExist?: boolean;
}

export interface PresentOptions extends Pick<CreateOptions, 'mayExist'> {
  /** What a completed check run says once a newer one goes on. */
  readonly superseded?: CheckRunContent;
  readonly signal?: AbortSignal;
}

export interface CheckRuns {
  create(repository: Repository, content: CheckRunContent, options?: CreateOptions): Promise<CheckRunRef>;
  update(repository: Repository, id: number, content: CheckRunContent, signal?: AbortSignal): Promise<CheckRunRef>;
  /** Puts a sentence at the top of its summary and takes its buttons; what it says and its conclusion stay. */
  addNotice(repository: Repository, id: number, sentence: string): Promise<void>;
  /**
   * Writes the newest content of a deployment: updates the last of its check runs, or creates a new one when there is
   * none or work goes on after a completed one. Those before it are written as superseded, now or the next time. Answers
   * all that the deployment has, the last one last.
   */
  present(
    repository: Repository,
    checkRuns: readonly CheckRunRef[],
    content: CheckRunContent,
    options?: PresentOptions,
  ): Promise<readonly CheckRunRef[]>;
  /** All of ours on a revision with this name and external id, newest first; superseded ones included. */
  find(repository: Repository, sha: string, name: string, externalId: string): Promise<readonly OwnCheckRun[]>;
  /** The newest of ours per name on a revision. */
  ofRevision(repository: Repository, sha: string): Promise<readonly OwnCheckRun[]>;
  /** The newest of ours per name in a check suite. */
  ofSuite(repository: Repository, checkSuiteId: number): Promise<readonly OwnCheckRun[]>;
}

/** The first, and one after each of two waits; longer ones belong to the caller. */
const CREATE_ATTEMPTS = 3;

export function createCheckRuns(clients: Clients, appId: number): CheckRuns {
  const checkRuns: CheckRuns = {
    async create(repository, content, { known = [], mayExist = false } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const lost = mayExist || attempt > 1 ? await findLost(checkRuns, repository, content, known) : undefined;
          return lost ? await checkRuns.update(repository, lost.id, content) : await post(clients, repository, content);
        } catch (error) {
          if (attempt === CREATE_ATTEMPTS || !mayHaveHappened(error)) throw error;
          await delay(clients.retryBaseMs * attempt);
        }
      }
    },

    update(repository, id, content, signal) {
      return clients.ask(repository.installationId, 'PATCH check run', async (octokit) => {
        const { data } = await octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
          ...inRepository(repository),
          check_run_id: id,
          ...bodyOf(content),
          ...(signal && { request: { signal } }),
        });
        return refOf(data);
      });
    },

    async addNotice(repository, id, sentence) {
      const path = { ...inRepository(repository), check_run_id: id };
      await clients.ask(repository.installationId, 'PATCH notice of a check run', async (octokit) => {
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}', path);
        const { title, summary, text } = data.output;
        const output = {
          title: title ?? data.name,
          summary: withNotice(summary ?? '', sentence),
          ...(text === null ? {} : { text }),
        };
        const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';
        await octokit.request(route, { ...path, output, actions: [] });
      });
    },

    async present(repository, refs, content, { superseded, signal, mayExist = false } = {}) {
      const ids = refs.map(({ id }) => id);
      const lost = mayExist ? await findLost(checkRuns, repository, content, ids) : undefined;
      const known: readonly CheckRunRef[] = lost ? [...refs, { id: lost.id, completed: lost.completed }] : refs;
      const last = known.at(-1);
      const isNew = last === undefined || (last.completed && content.status !== 'completed');
      const current = isNew
        ? await checkRuns.create(repository, content, { known: known.map(({ id }) => id) })
        : await checkRuns.update(repository, last.id, content, signal);
      const earlier = isNew ? known : known.slice(0, -1);
      return [...(await Promise.all(earlier.map((ref) => supersede(checkRuns, repository, ref, superseded)))), current];
    },

    async find(repository, sha, name, externalId) {
      const found = await list(clients, repository, { ref: sha, check_name: name, filter: 'all', app_id: appId });
      return found.filter((checkRun) => checkRun.externalId === externalId);
    },

    ofRevision(repository, sha) {
      return list(clients, repository, { ref: sha, filter: 'latest', app_id: appId });
    },

    ofSuite(repository, checkSuiteId) {
      return inPages(async (page) =>
        clients.ask(repository.installationId, 'GET check runs of a suite', async (octokit) => {
          const { data } = await octokit.request('GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs', {
            ...inRepository(repository),
            check_suite_id: checkSuiteId,
            filter: 'latest',
            per_page: PAGE_SIZE,
            page,
          });
          return data.check_runs;
        }),
      ).then((all) => ownAmong(all, appId));
    },
  };
  return checkRuns;
}

/** What fails is tried again with the next presentation: the newer one is what GitHub shows. */
async function supersede(
  checkRuns: CheckRuns,
  repository: Repository,
  ref: CheckRunRef,
  content: CheckRunContent | undefined,
): Promise<CheckRunRef> {
  if (ref.superseded || content === undefined) return ref;
  try {
    await checkRuns.update(repository, ref.id, content);
    return { ...ref, superseded: true };
  } catch (error) {
    if (error instanceof GitHubRefusedError) return { ...ref, superseded: true };
    if (error instanceof GitHubUnavailableError) return ref;
    throw error;
  }
}

/** A failed create of which nobody knows whether GitHub did it; one that was refused or limited did not happen. */
function mayHaveHappened(error: unknown): boolean {
  return error instanceof GitHubUnavailableError && error.retryAfterMs === undefined;
}

async function findLost(
  checkRuns: CheckRuns,
  repository: Repository,
  { headSha, name, externalId }: CheckRunContent,
  known: readonly number[],
): Promise<OwnCheckRun | undefined> {
  const found = await checkRuns.find(repository, headSha, name, externalId);
  return found.find(({ id }) => !known.includes(id));
}

function post(clients: Clients, repository: Repository, content: CheckRunContent): Promise<CheckRunRef> {
  return clients.ask(repository.installationId, 'POST check run', async (octokit) => {
    const { data } = await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
      ...inRepository(repository),
      head_sha: content.headSha,
      ...bodyOf(content),
      request: { retries: 0 },
    });
    return refOf(data);
  });
}

interface ListParameters {
  readonly ref: string;
  readonly filter: 'all' | 'latest';
  readonly app_id: number;
  readonly check_name?: string;
}

async function list(
  clients: Clients,
  repository: Repository,
  parameters: ListParameters,
): Promise<readonly OwnCheckRun[]> {
  const all = await inPages((page) =>
    clients.ask(repository.installationId, 'GET check runs of a revision', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
        ...inRepository(repository),
        ...parameters,
        per_page: PAGE_SIZE,
        page,
      });
      return data.check_runs;
    }),
  );
  return ownAmong(all, parameters.app_id);
}

function inRepository({ owner, name }: Repository): { owner: string; repo: string } {
  return { owner, repo: name };
}

function bodyOf(content: CheckRunContent) {
  const { name, externalId, detailsUrl, title, summary, text, actions } = content;
  return {
    name,
    external_id: externalId,
    ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
    ...stateOf(content),
    output: { title, summary, ...(text === undefined ? {} : { text }) },
    actions: [...actions],
  };
}

/** GitHub completes a check run as soon as it is given a conclusion, so the two go together or not at all. */
function stateOf({ status, conclusion = 'neutral', completedAt }: CheckRunContent) {
  if (status !== 'completed') return { status };
  return { status, conclusion, ...(completedAt !== undefined && { completed_at: completedAt }) };
}
