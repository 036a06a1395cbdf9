/**
 * Our check runs on GitHub.
 *
 * Creating one is not idempotent. So a create is never blindly repeated: before each further attempt the revision's
 * check runs are listed, and one of ours with the same name and external id is adopted unless it is known already.
 */
import type { CheckRunRef } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import {
  ForgeUnavailableError,
  withNotice,
  type CheckRunContent,
  type OwnCheckRun,
  type Statuses,
} from '@nereid/forge';
import pRetry from 'p-retry';
import { inBackground, type Conversation } from '../client/limits/background.ts';
import { WRITE_POINTS } from '../client/limits/points.ts';
import { GitHubRefusedError } from '../errors.ts';
import type { Clients } from '../client/clients.ts';
import { ownAmong } from './own-check-run.ts';
import { inPages, PAGE_SIZE } from '../client/pages.ts';
import { goesOnAfter, isShown, presentationTurn } from './presentation-turn.ts';
import { inRepository, patch, post, type BackgroundRequest } from './write-check-run.ts';

/** A write that would wait longer is left to the next presentation, for which points are reserved. */
const SUPERSEDED_WITHIN_MS = 2_000;

/** One attempt, and one more after each of four waits, three seconds in all; longer waits belong to the caller. */
const CREATE_RETRIES = 4;

export function createCheckRuns(clients: Clients, appId: number): Statuses {
  const find: Find = async (repository, sha, name, externalId, request) => {
    const wanted = { ref: sha, check_name: name, filter: 'all', app_id: appId } as const;
    const found = await list(clients, repository, wanted, request);
    return found.filter((checkRun) => checkRun.externalId === externalId);
  };
  return {
    async create(repository, content, { known = [], creationUncertain = false } = {}) {
      const once = async (attempt: number) => {
        const [lost] = creationUncertain || attempt > 1 ? await findLost(find, repository, content, known) : [];
        return lost ? patch(clients, repository, lost.id, content) : post(clients, repository, content);
      };
      const shouldRetry = ({ error }: { readonly error: Error }) => mayHaveHappened(error);
      return pRetry(once, { retries: CREATE_RETRIES, minTimeout: clients.retryBaseMs, shouldRetry });
    },

    update: (repository, id, content) => patch(clients, repository, id, content),

    async addNotice(repository, id, sentence) {
      const path = { ...inRepository(repository), check_run_id: id };
      await clients.ask(repository, 'PATCH notice of a check run', async (octokit) => {
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

    async present(repository, refs, content, { superseded, creationUncertain = false, priority, ...time } = {}) {
      const turn = { ...time, ...presentationTurn(content, refs, { creationUncertain, superseded, priority }) };
      const look = inBackground({ ...turn, restPoints: WRITE_POINTS + turn.restPoints });
      const ids = refs.map(({ id }) => id);
      const lost = creationUncertain ? await findLost(find, repository, content, ids, look) : [];
      const known = [...refs, ...lost.toReversed().map(({ id, completed }) => ({ id, completed }))];
      const last = known.at(-1);
      const isNew = last === undefined || goesOnAfter(last, content);
      const current = isNew
        ? await post(clients, repository, content, inBackground(turn))
        : await patch(clients, repository, last.id, content, inBackground(turn));
      const earlier = isNew ? known : known.slice(0, -1);
      return [...(await supersedeAll(clients, repository, earlier, superseded, turn)), current];
    },

    find: (repository, sha, name, externalId) => find(repository, sha, name, externalId),

    ofRevision(repository, sha) {
      return list(clients, repository, { ref: sha, filter: 'latest', app_id: appId });
    },
  };
}

type Find = (
  repository: Repository,
  sha: string,
  name: string,
  externalId: string,
  request?: BackgroundRequest,
) => Promise<readonly OwnCheckRun[]>;

/**
 * Writes the earlier check runs in the turn of the newer one. A write that GitHub could not take is left to the next
 * presentation: GitHub shows the newer check run.
 */
function supersedeAll(
  clients: Clients,
  repository: Repository,
  refs: readonly CheckRunRef[],
  content: CheckRunContent | undefined,
  turn: Conversation,
): Promise<readonly CheckRunRef[]> {
  const within = AbortSignal.timeout(SUPERSEDED_WITHIN_MS);
  const begin = turn.begin === undefined ? within : AbortSignal.any([turn.begin, within]);
  let left = refs.filter(isShown).length;
  return Promise.all(
    refs.map(async (ref) => {
      if (content === undefined || !isShown(ref)) return ref;
      left -= 1;
      const priority = turn.priority === 'preview' ? 'preview' : 'progress';
      const request = inBackground({ ...turn, priority, begin, restPoints: left * WRITE_POINTS });
      return supersede(clients, repository, ref, content, request);
    }),
  );
}

async function supersede(
  clients: Clients,
  repository: Repository,
  ref: CheckRunRef,
  content: CheckRunContent,
  request: BackgroundRequest,
): Promise<CheckRunRef> {
  try {
    await patch(clients, repository, ref.id, content, request);
    return { ...ref, superseded: true };
  } catch (error) {
    if (error instanceof GitHubRefusedError) return { ...ref, superseded: true };
    if (error instanceof ForgeUnavailableError) return ref;
    throw error;
  }
}

/** Whether GitHub may have done a create that failed. A create that was refused or limited did not happen. */
function mayHaveHappened(error: unknown): boolean {
  return error instanceof ForgeUnavailableError && error.retryAfterMs === undefined;
}

/** Newest first. There are several when GitHub completed creates that it had given up before. */
async function findLost(
  find: Find,
  repository: Repository,
  { headSha, name, externalId }: CheckRunContent,
  known: readonly number[],
  request?: BackgroundRequest,
): Promise<readonly OwnCheckRun[]> {
  const found = await find(repository, headSha, name, externalId, request);
  return found.filter(({ id }) => !known.includes(id));
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
  request?: BackgroundRequest,
): Promise<readonly OwnCheckRun[]> {
  const all = await inPages((page) =>
    clients.ask(repository, 'GET check runs of a revision', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
        ...inRepository(repository),
        ...parameters,
        per_page: PAGE_SIZE,
        page,
        ...(request && { request }),
      });
      return data.check_runs;
    }),
  );
  return ownAmong(all, parameters.app_id);
}
