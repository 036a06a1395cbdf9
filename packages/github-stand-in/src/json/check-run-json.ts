import { pullRequestsAt } from '../state/find.ts';
import type { CheckRun, Repository } from '../state/model.ts';
import { appJson } from './app-json.ts';
import { nodeId, type Json } from './json.ts';
import { pullRequestMinimalJson } from './pull-request-json.ts';
import { repositoryUrl } from './repository-json.ts';
import type { View } from '../world.ts';

/** `check-run`. GitHub never returns the buttons. */
export function checkRunJson(view: View, repository: Repository, run: CheckRun): Json {
  const url = `${repositoryUrl(view, repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: checkRunPage(view, repository, run),
    details_url: run.detailsUrl ?? view.url,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.output.title,
      summary: run.output.summary,
      text: run.output.text,
      annotations_count: run.output.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: appJson(view),
    pull_requests: pullRequestsAt(view.store, repository, run.headSha).map((pr) =>
      pullRequestMinimalJson(view, repository, pr),
    ),
  };
}

export function checkRunPage(view: View, repository: Repository, run: CheckRun): string {
  return `${view.url}/${repository.owner}/${repository.name}/runs/${run.id}`;
}
