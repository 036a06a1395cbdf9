import type { Deployment, Repository, WorkflowRun } from '../state/model.ts';
import type { View } from '../world.ts';
import { nodeId, type Json } from './json.ts';
import { repositoryJson, repositoryUrl } from './repository-json.ts';

const WORKFLOW_ID = 1;

/** One that was let go has not ended: its job is at work. */
const OUTCOMES: Readonly<Record<WorkflowRun['state'], Json>> = {
  waiting: { status: 'waiting', conclusion: null },
  approved: { status: 'in_progress', conclusion: null },
  rejected: { status: 'completed', conclusion: 'failure' },
  cancelled: { status: 'completed', conclusion: 'cancelled' },
};

/** `workflow-run`, without its commit, which GitHub leaves out where it is gone. */
export function workflowRunJson(view: View, repository: Repository, run: WorkflowRun, deployment: Deployment): Json {
  const url = workflowRunUrl(view, repository, run.id);
  const parts = ['jobs', 'logs', 'cancel', 'rerun', 'artifacts'];
  return {
    ...{ id: run.id, node_id: nodeId('WorkflowRun', run.id), run_number: 1, run_attempt: run.attempt },
    ...{ event: 'push', path: '.github/workflows/deploy.yml', workflow_id: WORKFLOW_ID, display_title: 'Deploy' },
    head_branch: repository.defaultBranch,
    head_sha: deployment.sha,
    head_commit: null,
    ...OUTCOMES[run.state],
    ...{ created_at: deployment.createdAt, updated_at: deployment.updatedAt, pull_requests: [] },
    ...{ url, html_url: `${view.url}/${repository.owner}/${repository.name}/actions/runs/${run.id}` },
    ...Object.fromEntries(parts.map((part) => [`${part}_url`, `${url}/${part}`])),
    check_suite_url: `${repositoryUrl(view, repository)}/check-suites/${run.id}`,
    workflow_url: `${repositoryUrl(view, repository)}/actions/workflows/${WORKFLOW_ID}`,
    repository: repositoryJson(view, repository),
    head_repository: repositoryJson(view, repository),
  };
}

export function workflowRunUrl(view: View, repository: Repository, id: number): string {
  return `${repositoryUrl(view, repository)}/actions/runs/${id}`;
}
