import type { Commit } from '../git/history.ts';
import { latestOf, pullRequestsAt, runsOf } from '../state/find.ts';
import type { CheckConclusion, CheckRun, CheckStatus, CheckSuite, Repository } from '../state/model.ts';
import { appJson } from './app-json.ts';
import { simpleCommitJson } from './commit-json.ts';
import { nodeId, type Json } from './json.ts';
import { pullRequestMinimalJson } from './pull-request-json.ts';
import { repositoryJson, repositoryUrl } from './repository-json.ts';
import type { View } from '../world.ts';

/** `check-suite`. */
export function checkSuiteJson(view: View, repository: Repository, suite: CheckSuite, head: Commit): Json {
  return {
    ...checkSuiteInEventJson(view, repository, suite),
    ...checkSuiteDetails(view, repository, suite, head),
    repository: repositoryJson(view, repository),
  };
}

/** The suite of a check_suite webhook: as above, without its repository, which the webhook has beside it. */
export function checkSuiteWithCommitJson(view: View, repository: Repository, suite: CheckSuite, head: Commit): Json {
  return { ...checkSuiteInEventJson(view, repository, suite), ...checkSuiteDetails(view, repository, suite, head) };
}

/** The suite that a check_run webhook carries inside its check run. */
export function checkSuiteInEventJson(view: View, repository: Repository, suite: CheckSuite): Json {
  const { status, conclusion } = outcomeOf(suite, latestOf(runsOf(view.store, suite)));
  return {
    id: suite.id,
    node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status,
    conclusion,
    url: `${repositoryUrl(view, repository)}/check-suites/${suite.id}`,
    before: suite.before,
    after: suite.headSha,
    pull_requests: pullRequestsAt(view.store, repository, suite.headSha).map((pr) =>
      pullRequestMinimalJson(view, repository, pr),
    ),
    app: appJson(view),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
  };
}

interface SuiteOutcome {
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
}

/** The outcome of a suite: the worst conclusion of its check runs, once all are completed. */
export function outcomeOf(suite: Pick<CheckSuite, 'rerequested'>, latest: readonly CheckRun[]): SuiteOutcome {
  if (suite.rerequested || latest.length === 0) return { status: 'queued', conclusion: null };
  if (latest.every(({ status }) => status === 'completed')) {
    const worst = WORST_FIRST.find((conclusion) => latest.some((run) => run.conclusion === conclusion));
    return { status: 'completed', conclusion: worst ?? 'success' };
  }
  const started = latest.some(({ status }) => status !== 'queued');
  return { status: started ? 'in_progress' : 'queued', conclusion: null };
}

const WORST_FIRST: readonly CheckConclusion[] = [
  'failure',
  'timed_out',
  'action_required',
  'cancelled',
  'success',
  'neutral',
  'skipped',
];

function checkSuiteDetails(view: View, repository: Repository, suite: CheckSuite, head: Commit): Json {
  return {
    latest_check_runs_count: latestOf(runsOf(view.store, suite)).length,
    check_runs_url: `${repositoryUrl(view, repository)}/check-suites/${suite.id}/check-runs`,
    head_commit: simpleCommitJson(head),
    rerequestable: true,
    runs_rerequestable: true,
  };
}
