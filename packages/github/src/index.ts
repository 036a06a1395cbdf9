/** GitHub: the App's client, check runs, permissions, comparison. Knows no Temporal. */
export { approversOf, type Review } from './people/approvals.ts';
export type { Button, CheckRunConclusion, CheckRunContent } from './check-run/content.ts';
export type { CheckRuns, CreateOptions } from './check-run/check-runs.ts';
export type { BackgroundOptions, Priority } from './client/limits/background.ts';
export type { InstallationLimits } from './client/limits/keep-limits.ts';
export type { OwnCheckRun } from './check-run/own-check-run.ts';
export type { CheckRunLinks } from './check-run/links.ts';
export type { Log } from './client/clients.ts';
export type { Comments, NewComment, Reaction } from './comments.ts';
export { together, type CommitContributors, type Commits, type Contributors } from './commits.ts';
export { renderConfigProblems, type ConfigProblem, type ConfigProblemsSubject } from './config-problems.ts';
export type { CountedRequest } from './client/counted-requests.ts';
export { GitHubRefusedError, GitHubUnavailableError } from './errors.ts';
export { createGitHub, type GitHub, type GitHubOptions } from './github.ts';
export type { FailedDelivery } from './deliveries.ts';
export { gitAuthorization, type TokenPermissions } from './client/installation-token.ts';
export * from './links.ts';
export type { AuthoriseRequest, People } from './people/people.ts';
export { isSamePerson, type Person } from './people/person.ts';
export { mayDo, PERMISSIONS, type Decision, type Permission, type Question } from './people/permission-rule.ts';
export type { ListedPullRequest, PullRequest, PullRequests } from './pull-requests.ts';
export {
  renderPullRequest,
  type PullRequestSubject,
  type ShownPreview,
} from './pull-request/pull-request-check-run.ts';
export { planTextSection, type ShownPlanText } from './check-run/plan-text.ts';
export { renderCheckRun, renderSuperseded } from './check-run/render-check-run.ts';
export type { Branch, BranchMove, Repositories } from './repositories.ts';
