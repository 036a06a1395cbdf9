import { ImpossibleError } from '../errors.ts';
import { emit } from '../events/emit.ts';
import { deploymentJson } from '../json/deployment-json.ts';
import { repositoryUrl } from '../json/repository-json.ts';
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
    ...{ id: store.newId(), repositoryId: repository.id, deploymentId: deployment.id, environment },
    state: 'waiting',
    comments: [],
  };
  store.state.workflowRuns.push(started);
  const payload = {
    environment,
    event: 'push',
    deployment_callback_url: `${repositoryUrl(world, repository)}/actions/runs/${started.id}/deployment_protection_rule`,
    deployment: deploymentJson(world, repository, deployment),
    pull_requests: [],
  };
  emit(world, { event: 'deployment_protection_rule', action: 'requested', repository, sender: run.by, payload });
  store.changed();
  return started;
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
export function cancelWorkflowRun({ store }: World, id: number): void {
  const run = store.state.workflowRuns.find((each) => each.id === id);
  if (run === undefined) throw new ImpossibleError(`there is no run ${id}`);
  run.state = 'cancelled';
  store.changed();
}
