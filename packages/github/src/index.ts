/** GitHub: the App's client, check runs, permissions, comparison. Knows no Temporal. */
export {
  APP_EVENTS,
  APP_PERMISSIONS,
  missingOf,
  type Granted,
  type NeededEvent,
  type NeededFor,
  type NeededPermission,
} from './app/app-needs.ts';
export type { AppGrants, AppStatus, InstallationGrants, LastDelivery, Webhook } from './app/app-status.ts';
export { readClockSkew } from './app/clock.ts';
export { approversOf, type Review } from './pull-request/approvals.ts';
export type { BranchMove, ReadMoves } from './repository/branch-moves.ts';
export type { Button, CheckRunConclusion, CheckRunContent } from './check-run/content.ts';
export type { CheckRuns, CreateOptions } from './check-run/check-runs.ts';
export type { BackgroundOptions, Priority } from './client/limits/background.ts';
export type { InstallationLimits } from './client/limits/keep-limits.ts';
export type { OwnCheckRun } from './check-run/own-check-run.ts';
export type { CheckRunLinks } from './check-run/links.ts';
export { oneLine } from './check-run/markdown.ts';
export type { Log } from './client/clients.ts';
export type { Comments, NewComment, Reaction } from './comments.ts';
export type { BringingPullRequest, CommitContributors, Commits } from './commits.ts';
export { renderConfigProblems, type ConfigProblem, type ConfigProblemsSubject } from './config-problems.ts';
export type { CountedRequest } from './client/counted-requests.ts';
export { GitHubRefusedError, GitHubShutOutError, GitHubUnavailableError, isRefused } from './errors.ts';
export { createGitHub, type GitHub, type GitHubOptions } from './github.ts';
export type { FailedDelivery } from './deliveries.ts';
export type { Press } from './presses.ts';
export { gitAuthorization, type TokenPermissions } from './client/installation-token.ts';
export * from './links.ts';
export { together, type Contributors } from './people/contributors.ts';
export type { AuthoriseRequest, People } from './people/people.ts';
export { isBot, isSamePerson, type Person } from './people/person.ts';
export type { ReaderFound } from './people/readers.ts';
export { mayDo, PERMISSIONS, type Decision, type Permission, type Question } from './people/permission-rule.ts';
export type { ListedPullRequest, PullRequest, PullRequests } from './pull-request/pull-requests.ts';
export { removedSentence } from './pull-request/pull-request-table.ts';
export { pullRequestTitle, renderPullRequest, type PullRequestSubject } from './pull-request/pull-request-check-run.ts';
export { titleSubject } from './pull-request/title-subject.ts';
export { isWorthAComment, renderPullRequestComment } from './pull-request/pull-request-comment.ts';
export type { KeptCommentRequest, KeptComments } from './pull-request/kept-comments.ts';
export { isOpen as isUnderWay, type ShownPreview } from './pull-request/pull-request-table.ts';
export { REMOVAL_HELP, whatStays } from './check-run/removal.ts';
export { planTextSection, type ShownPlanText } from './check-run/plan/plan-text.ts';
export { pressableOn, renderCheckRun, renderSuperseded } from './check-run/render-check-run.ts';
export { checkRunTitle } from './check-run/title.ts';
export type { Branch, Repositories } from './repository/repositories.ts';
