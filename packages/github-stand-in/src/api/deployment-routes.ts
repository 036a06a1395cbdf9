import { accountJson } from '../json/account-json.ts';
import { deploymentJson } from '../json/deployment-json.ts';
import { nodeId } from '../json/json.ts';
import { repositoryUrl } from '../json/repository-json.ts';
import type { Deployment, DeploymentStatus } from '../state/model.ts';
import { latestOf, runsAt } from '../state/find.ts';
import { now } from '../state/store.ts';
import { ApiRefusal, created, notFound } from './answer.ts';
import { paged } from './pages.ts';
import { requireCommit } from './repository-routes.ts';
import type { RepositoryCall, Route } from './route.ts';

export const deploymentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/deployments',
    access: 'repository',
    permission: ['deployments', 'read'],
    answer(call) {
      const { sha, environment } = call.query;
      const found = call.world.store.state.deployments
        .filter((each) => each.repositoryId === call.repository.id)
        .filter((each) => (sha ?? each.sha) === each.sha && (environment ?? each.environment) === each.environment);
      return paged(call, found.reverse(), (each) => deploymentJson(call.world, call.repository, each));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/deployments',
    access: 'repository',
    permission: ['deployments', 'write'],
    answer: createDeployment,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    access: 'repository',
    permission: ['deployments', 'read'],
    answer(call) {
      const deployment = requireDeployment(call);
      return paged(call, deployment.statuses.toReversed(), (status) => statusJson(call, deployment, status));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    access: 'repository',
    permission: ['deployments', 'write'],
    answer: createStatus,
  },
];

async function createDeployment(call: RepositoryCall) {
  const { world, repository } = call;
  // The body was checked against GitHub's description, which gives it this type.
  const body = call.body as { ref: string } & Partial<
    Pick<Deployment, 'task' | 'environment' | 'description' | 'payload'>
  > & { readonly required_contexts?: readonly string[] };
  const sha = await requireCommit(call, body.ref);
  requireContexts(call, sha, body.required_contexts);
  const deployment: Deployment = {
    id: world.store.newId(),
    repositoryId: repository.id,
    ref: body.ref,
    sha,
    task: body.task ?? 'deploy',
    environment: body.environment ?? 'production',
    description: body.description ?? null,
    payload: body.payload ?? {},
    creator: world.app.bot,
    createdAt: now(),
    updatedAt: now(),
    statuses: [],
  };
  world.store.state.deployments.push(deployment);
  world.store.changed();
  return created(deploymentJson(call.world, call.repository, deployment));
}

/** Without a list, GitHub wants all checks of the commit to have passed. */
function requireContexts({ world, repository }: RepositoryCall, sha: string, names: readonly string[] | undefined) {
  const runs = latestOf(runsAt(world.store, repository, sha));
  const required = runs.filter(({ name }) => names?.includes(name) ?? true);
  if (required.every(({ conclusion }) => conclusion === 'success')) return;
  throw new ApiRefusal(409, 'Conflict: Commit status checks failed for main.');
}

function createStatus(call: RepositoryCall) {
  const { world } = call;
  const deployment = requireDeployment(call);
  // The body was checked against GitHub's description, which gives it this type.
  const body = call.body as Partial<Record<'state' | 'description' | 'log_url' | 'environment_url', string>> & {
    readonly auto_inactive?: boolean;
  };
  const status: DeploymentStatus = {
    id: world.store.newId(),
    state: body.state ?? '',
    description: body.description ?? '',
    logUrl: body.log_url ?? '',
    environmentUrl: body.environment_url ?? '',
    creator: world.app.bot,
    createdAt: now(),
  };
  if (status.state === 'success' && body.auto_inactive !== false) endEarlier(call, deployment);
  deployment.statuses.push(status);
  deployment.updatedAt = status.createdAt;
  world.store.changed();
  return created(statusJson(call, deployment, status));
}

/** GitHub ends earlier successes of an environment, but none of `production`. */
function endEarlier({ world }: RepositoryCall, { id: newest, repositoryId, environment }: Deployment): void {
  if (environment === 'production') return;
  for (const { id, statuses, ...each } of world.store.state.deployments) {
    const last = statuses.at(-1);
    const isEarlier = id < newest && each.repositoryId === repositoryId && each.environment === environment;
    if (isEarlier && last?.state === 'success') statuses.push({ ...last, id: world.store.newId(), state: 'inactive' });
  }
}

function requireDeployment({ world, repository, params }: RepositoryCall): Deployment {
  const found = world.store.state.deployments.find(({ id }) => id === Number(params['deployment_id']));
  if (found?.repositoryId !== repository.id) throw notFound();
  return found;
}

/** `deployment-status`. */
function statusJson({ world, repository }: RepositoryCall, deployment: Deployment, status: DeploymentStatus) {
  const deploymentUrl = `${repositoryUrl(world, repository)}/deployments/${deployment.id}`;
  return {
    url: `${deploymentUrl}/statuses/${status.id}`,
    id: status.id,
    node_id: nodeId('DeploymentStatus', status.id),
    state: status.state,
    creator: accountJson(world, status.creator),
    description: status.description,
    environment: deployment.environment,
    target_url: status.logUrl,
    log_url: status.logUrl,
    environment_url: status.environmentUrl,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    deployment_url: deploymentUrl,
    repository_url: repositoryUrl(world, repository),
  };
}
