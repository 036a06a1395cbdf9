/** GitHub: the App's client, check runs, permissions, comparison. Knows no Temporal. */
export { approversOf, type Review } from './approvals.ts';
export {
  checkRunName,
  CONFIG_CHECK_RUN_NAME,
  type Button,
  type CheckRunConclusion,
  type CheckRunContent,
} from './check-run-content.ts';
export type { CheckRuns, CreateOptions } from './check-runs.ts';
export type { BackgroundOptions, Priority } from './limits/background.ts';
export type { InstallationLimits } from './limits/keep-limits.ts';
export type { OwnCheckRun } from './own-check-run.ts';
export { lockOwner } from './check-run-title.ts';
export type { CheckRunLinks } from './check-run-links.ts';
export type { Log } from './clients.ts';
export type { Comments, NewComment } from './comments.ts';
export type { Commits } from './commits.ts';
export { renderConfigProblems, type ConfigProblem, type ConfigProblemsSubject } from './config-problems.ts';
export type { CountedRequest } from './counted-requests.ts';
export { GitHubRefusedError, GitHubUnavailableError } from './errors.ts';
export { createGitHub, type GitHub, type GitHubOptions } from './github.ts';
export type { FailedDelivery } from './deliveries.ts';
export { gitAuthorization, type TokenPermissions } from './installation-token.ts';
export * from './links.ts';
export type { AuthoriseRequest, People } from './people.ts';
export { mayDo, PERMISSIONS, type Decision, type Permission, type Question } from './permission-rule.ts';
export type { PullRequest, PullRequests } from './pull-requests.ts';
export { renderCheckRun, renderSuperseded } from './render-check-run.ts';
export type { Repositories } from './repositories.ts';
