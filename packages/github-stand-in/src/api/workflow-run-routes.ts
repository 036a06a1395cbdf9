import { workflowRunJson } from '../json/workflow-run-json.ts';
import { sameName } from '../state/accounts.ts';
import type { WorkflowRun } from '../state/model.ts';
import { notFound, ok, unprocessable } from './answer.ts';
import type { RepositoryCall, Route } from './route.ts';

export const workflowRunRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs/{run_id}',
    access: 'repository',
    permission: ['actions', 'read'],
    answer(call) {
      const run = requireRun(call);
      const deployment = call.world.store.state.deployments.find(({ id }) => id === run.deploymentId);
      if (deployment === undefined) throw notFound();
      return ok(workflowRunJson(call.world, call.repository, run, deployment));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule',
    access: 'repository',
    permission: ['deployments', 'write'],
    answer: answerRun,
  },
];

/** GitHub takes no more comments that decide nothing. */
const REPORTS_LIMIT = 10;

function answerRun(call: RepositoryCall) {
  const { world } = call;
  const run = requireRun(call);
  // The body was checked against GitHub's description, which gives it this type.
  const { environment_name, state, comment } = call.body as {
    readonly environment_name: string;
    readonly state?: 'approved' | 'rejected';
    readonly comment?: string;
  };
  if (run.state !== 'waiting' || !sameName(run.environment, environment_name))
    throw unprocessable('No pending deployment requests to approve or reject');
  if (state === undefined && run.comments.length >= REPORTS_LIMIT)
    throw unprocessable(`A deployment has at most ${REPORTS_LIMIT} status reports`);
  run.state = state ?? run.state;
  if (comment !== undefined) run.comments.push(comment);
  world.store.changed();
  return { status: 204 };
}

function requireRun({ world, repository, params }: RepositoryCall): WorkflowRun {
  const found = world.store.state.workflowRuns.find(({ id }) => id === Number(params['run_id']));
  if (found?.repositoryId !== repository.id) throw notFound();
  return found;
}
