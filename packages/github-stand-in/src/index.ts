/** A stand-in for github.com: a real server on real git, to test and show an App with. */
export type { NewRepository } from './actions/repositories.ts';
export type { PastChange } from './actions/past-changes.ts';
export type { CommitInput } from './actions/pushes.ts';
export type { MergeInput, NewPullRequest } from './actions/pull-requests.ts';
export type { NewReview } from './actions/reviews.ts';
export { makeAppKey } from './auth/app-key.ts';
export { ImpossibleError } from './errors.ts';
export type { ApiFault, Fault, Faults, WebhookFault } from './faults/faults.ts';
export type { GroupInFlight, NewBranchRules } from './merge-queue/queue-actions.ts';
export type { FileChanges } from './git/write-commit.ts';
export type { GitHubActions, PullRequestRef } from './github-actions.ts';
export { startGitHub, type GitHubOptions, type GitHubStandIn } from './start-github.ts';
export type {
  CheckAction,
  CheckConclusion,
  CheckRun,
  CheckStatus,
  CheckSuite,
  Comment,
  Delivery,
  PullRequest,
  Repository,
  Review,
  Role,
  WorkflowRun,
} from './state/model.ts';
export type { RefusedRequest, RequestCount } from './traffic.ts';
