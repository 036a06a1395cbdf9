/**
 * What GitHub calls deployments. Creating one is not idempotent, so each has our id in its payload, and is looked for first: a
 * deployment costs a read and three writes.
 */
import type { Repository } from '@nereid/domain/root';
import type { EnvironmentDeployment, Environments } from '@nereid/forge';
import type { Clients } from './client/clients.ts';
import { inBackground, type Conversation } from './client/limits/background.ts';
import { READ_POINTS, WRITE_POINTS } from './client/limits/points.ts';
import { orElse } from './client/or-else.ts';
import { PAGE_SIZE } from './client/pages.ts';
import { inRepository, type BackgroundRequest } from './check-run/write-check-run.ts';

export function createEnvironments(clients: Clients): Environments {
  return {
    async show(repository, deployment, known, options = {}) {
      const request = requestsOf(deployment, known, options);
      if (known !== undefined) {
        await writeState(clients, repository, known, deployment, request.state);
        return known;
      }
      const found = await find(clients, repository, deployment, request.look);
      // An earlier attempt has written more than that by then.
      if (found !== undefined && deployment.state === 'in_progress') {
        if (await hasState(clients, repository, found, request.look)) return found;
      }
      const id = found ?? (await create(clients, repository, deployment, request.create));
      await writeState(clients, repository, id, deployment, request.state);
      return id;
    },
    async answerRun(repository, { runId, environment, state, comment }, options = {}) {
      const turn = { ...options, priority: 'environment', key: `run ${runId} ${environment}` } as const;
      const request = inBackground({ ...turn, restPoints: 0, againPoints: WRITE_POINTS });
      // Only the number comes from the webhook, never the address.
      await clients.ask(repository, 'POST deployment protection rule', (octokit) =>
        octokit.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule', {
          ...inRepository(repository),
          run_id: runId,
          environment_name: environment,
          ...(state && { state }),
          comment,
          request,
        }),
      );
    },
    isRunOver(repository, runId, options = {}) {
      const turn = { ...options, priority: 'environment', key: `state of run ${runId}` } as const;
      const request = inBackground({ ...turn, restPoints: 0, againPoints: READ_POINTS });
      const path = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
      return orElse(true, () =>
        clients.ask(repository, 'GET workflow run', async (octokit) => {
          const { data } = await octokit.request(path, { ...inRepository(repository), run_id: runId, request });
          return data.status === 'completed';
        }),
      );
    },
  };
}

/** Each with the points of those that follow it. */
function requestsOf(
  { id }: EnvironmentDeployment,
  known: number | undefined,
  options: Pick<Conversation, 'begin' | 'signal' | 'patienceMs'>,
) {
  const againPoints = known === undefined ? READ_POINTS + 2 * WRITE_POINTS : WRITE_POINTS;
  const turn = { ...options, priority: 'environment', key: `environment ${id}`, againPoints } as const;
  return {
    look: inBackground({ ...turn, restPoints: 2 * WRITE_POINTS }),
    create: inBackground({ ...turn, restPoints: WRITE_POINTS }),
    state: inBackground({ ...turn, restPoints: 0 }),
  };
}

/** Among the newest hundred of the revision and the environment: nobody deploys one more often. */
function find(
  clients: Clients,
  repository: Repository,
  { id, sha, environment }: EnvironmentDeployment,
  request: BackgroundRequest,
): Promise<number | undefined> {
  return clients.ask(repository, 'GET deployments', async (octokit) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/deployments', {
      ...inRepository(repository),
      sha,
      environment,
      per_page: PAGE_SIZE,
      request,
    });
    const found = data.find(({ payload }) => idIn(payload) === id);
    return found && Number(found.id);
  });
}

function create(
  clients: Clients,
  repository: Repository,
  { id, sha, environment, sentence }: EnvironmentDeployment,
  request: BackgroundRequest,
): Promise<number> {
  return clients.ask(repository, 'POST deployment', async (octokit) => {
    const { data } = await octokit.request('POST /repos/{owner}/{repo}/deployments', {
      ...inRepository(repository),
      ref: sha,
      environment,
      description: sentence,
      payload: { nereid: id },
      // Otherwise GitHub would merge the default branch into it, or wait for checks: some of them are ours.
      auto_merge: false,
      required_contexts: [],
      request,
    });
    if ('id' in data) return Number(data.id);
    throw new Error(`expected GitHub to create a deployment, found ${JSON.stringify(data.message)}`);
  });
}

async function writeState(
  clients: Clients,
  repository: Repository,
  id: number,
  { state, environment, sentence, url }: EnvironmentDeployment,
  request: BackgroundRequest,
): Promise<void> {
  await clients.ask(repository, 'POST deployment status', (octokit) =>
    octokit.request('POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses', {
      ...inRepository(repository),
      deployment_id: id,
      state,
      environment,
      description: sentence,
      log_url: url,
      auto_inactive: true,
      request,
    }),
  );
}

function hasState(clients: Clients, repository: Repository, id: number, request: BackgroundRequest): Promise<boolean> {
  return clients.ask(repository, 'GET deployment statuses', async (octokit) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses', {
      ...inRepository(repository),
      deployment_id: id,
      per_page: 1,
      request,
    });
    return data.length > 0;
  });
}

/** GitHub gives a payload back as it came, or as a text. */
function idIn(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'nereid' in payload ? payload.nereid : undefined;
}
