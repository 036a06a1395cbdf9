import { ImpossibleError } from '../errors.ts';
import { emit } from '../events/emit.ts';
import { deploymentJson } from '../json/deployment-json.ts';
import { workflowRunUrl } from '../json/workflow-run-json.ts';
import { ensureAccount } from '../state/accounts.ts';
import type { Deployment, Repository, WorkflowRun } from '../state/model.ts';
import { now } from '../state/store.ts';
import type { World } from '../world.ts';

export interface NewWorkflowRun {
  readonly environment: string;
  readonly sha: string;
  /** The login of the person who pushed, or started it. */
  readonly by: string;
}

/** GitHub deploys in the name of this bot. */
const ACTIONS_BOT = 'github-actions[bot]';

/** A run comes to a job for an environment that the App protects, and waits for it. */
export function startWorkflowRun(world: World, repository: Repository, run: NewWorkflowRun): WorkflowRun {
  const { store } = world;
  ensureAccount(store, ACTIONS_BOT, 'Bot');
  ensureAccount(store, run.by);
  const deployment = addDeployment(world, repository, run);
  const { environment } = run;
  const started: WorkflowRun = {
    ...{ id: store.newId(), repositoryId: repository.id, deploymentId: deployment.id, attempt: 1, environment },
    state: 'waiting',
    comments: [],
  };
  store.state.workflowRuns.push(started);
  askApp(world, repository, started, { deployment, by: run.by });
  return started;
}

/** The payload names the run and the deployment, and no attempt. */
function askApp(
  world: World,
  repository: Repository,
  { id, environment }: WorkflowRun,
  { deployment, by }: { readonly deployment: Deployment; readonly by: string },
): void {
  const payload = {
    environment,
    event: 'push',
    deployment_callback_url: `${workflowRunUrl(world, repository, id)}/deployment_protection_rule`,
    deployment: deploymentJson(world, repository, deployment),
    pull_requests: [],
  };
  emit(world, { event: 'deployment_protection_rule', action: 'requested', repository, sender: by, payload });
  world.store.changed();
}

function addDeployment(world: World, repository: Repository, { environment, sha }: NewWorkflowRun): Deployment {
  const deployment: Deployment = {
    ...{ id: world.store.newId(), repositoryId: repository.id, ref: repository.defaultBranch, sha, task: 'deploy' },
    ...{ environment, description: null, payload: {}, creator: ACTIONS_BOT, createdAt: now(), updatedAt: now() },
    statuses: [],
  };
  world.store.state.deployments.push(deployment);
  return deployment;
}

/** A person cancels a run that waits. */
export function cancelWorkflowRun(world: World, id: number): void {
  requireRun(world, id).state = 'cancelled';
  world.store.changed();
}

/** A person starts a run again: the run keeps its number, and its job makes another deployment of the same commit. */
export function rerunWorkflowRun(world: World, id: number, by: string): WorkflowRun {
  const run = requireRun(world, id);
  const { repositories, deployments } = world.store.state;
  const repository = repositories.find((each) => each.id === run.repositoryId);
  const before = deployments.find((each) => each.id === run.deploymentId);
  if (repository === undefined || before === undefined) throw new ImpossibleError(`the run ${id} has no deployment`);
  ensureAccount(world.store, by);
  const deployment = addDeployment(world, repository, { environment: run.environment, sha: before.sha, by });
  Object.assign(run, { deploymentId: deployment.id, attempt: run.attempt + 1, state: 'waiting', comments: [] });
  askApp(world, repository, run, { deployment, by });
  return run;
}

function requireRun({ store }: World, id: number): WorkflowRun {
  const run = store.state.workflowRuns.find((each) => each.id === id);
  if (run === undefined) throw new ImpossibleError(`there is no run ${id}`);
  return run;
}
