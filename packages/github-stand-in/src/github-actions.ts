/** What people do on github.com, and what tests want to know of it. */
import type { MergeInput, NewPullRequest } from './actions/pull-requests.ts';
import type { PastChange } from './actions/past-changes.ts';
import type { NewReview } from './actions/reviews.ts';
import type { ForkPush, NewForkPullRequest } from './actions/forks.ts';
import type { CommitInput } from './actions/pushes.ts';
import type { NewWorkflowRun } from './actions/workflow-runs.ts';
import type { NewRepository } from './actions/repositories.ts';
import type { Faults } from './faults/faults.ts';
import type { GroupInFlight, NewBranchRules } from './merge-queue/queue-actions.ts';
import type {
  Account,
  CheckRun,
  CheckSuite,
  Comment,
  Delivery,
  Deployment,
  PullRequest,
  Repository,
  Review,
  Role,
  WorkflowRun,
} from './state/model.ts';
import type { RefusedRequest, RequestCount } from './traffic.ts';

/** A pull request, by its repository's `owner/name` and its number. */
export interface PullRequestRef {
  readonly repository: string;
  readonly number: number;
}

/** The actions of people on github.com, and facts for tests. Repositories are named by `owner/name`, people by login. */
export interface GitHubActions {
  createRepository(input: NewRepository): Promise<Readonly<Repository>>;
  /** Adds pull requests as if the App had been installed after them. Sends no webhook. */
  addPastChanges(repository: string, changes: readonly PastChange[]): Promise<void>;
  /** Uninstalls the App from an account and installs it again. Its installation has another number then. */
  reinstallApp(account: string): void;
  setRole(repository: string, login: string, role: Role | undefined): void;
  /** A person changes their login; their id stays. */
  renameAccount(login: string, to: string): void;
  /** The person's account, created if it is new. */
  account(login: string): Readonly<Account>;
  /** Replaces the members of a team. */
  setTeam(organization: string, slug: string, members: readonly string[]): void;
  /** The head of a branch, the default branch unless given. */
  headOf(repository: string, branch?: string): Promise<string>;
  /** Commits, and sends the webhooks of a push of this one commit. Returns its SHA. */
  commit(input: CommitInput & { readonly repository: string }): Promise<string>;
  /** Moves a branch to any commit of the repository, as a forced push. */
  forcePush(input: { repository: string; branch: string; to: string; by: string }): Promise<string>;
  /** Sets the rules of a branch, or removes them; they hold from then on, also for the pull requests that are queued. */
  setBranchRules(repository: string, branch: string, rules: NewBranchRules | undefined): Promise<void>;
  /** The groups of a branch's merge queue whose checks were requested, in the order of merging. */
  queueOf(repository: string, branch: string): readonly GroupInFlight[];
  openPullRequest(input: NewPullRequest & { readonly repository: string }): Promise<Readonly<PullRequest>>;
  openPullRequestFromFork(input: NewForkPullRequest & { readonly repository: string }): Promise<Readonly<PullRequest>>;
  /** Moves the head of a pull request from a fork. Returns its new head. */
  pushToFork(pr: PullRequestRef, push: ForkPush): Promise<string>;
  deleteFork(pr: PullRequestRef): void;
  reopenPullRequest(pr: PullRequestRef, by: string): Promise<void>;
  convertToDraft(pr: PullRequestRef, by: string): Promise<void>;
  readyForReview(pr: PullRequestRef, by: string): Promise<void>;
  changeBase(pr: PullRequestRef, base: string, by: string): Promise<void>;
  approve(pr: PullRequestRef, by: string): Promise<Readonly<Review>>;
  review(pr: PullRequestRef, review: NewReview): Promise<Readonly<Review>>;
  /** Dismisses the last approval or request for changes of `of`. */
  dismissReview(pr: PullRequestRef, input: { readonly of: string; readonly by: string }): Promise<void>;
  /** Merges the base into the branch with the change. Returns its new head. */
  updateBranch(pr: PullRequestRef, by: string): Promise<string>;
  /** Returns the new head of the base branch. */
  mergePullRequest(pr: PullRequestRef, input: MergeInput): Promise<string>;
  /** Puts a pull request that could be merged into the merge queue of its base branch. */
  enqueue(pr: PullRequestRef, by: string): Promise<void>;
  dequeue(pr: PullRequestRef, by: string): Promise<void>;
  closePullRequest(pr: PullRequestRef, by: string): Promise<void>;
  comment(pr: PullRequestRef, login: string, body: string): Readonly<Comment>;
  /** A person deletes a comment, whoever wrote it. */
  deleteComment(pr: PullRequestRef, id: number, by: string): void;
  /** Presses a button of a check run. The App has to find out whether the person may. */
  pressButton(checkRunId: number, identifier: string, login: string): void;
  rerequestCheckRun(checkRunId: number, login: string): void;
  rerequestCheckSuite(checkSuiteId: number, login: string): Promise<void>;
  /** Newest first; only those of one commit when a SHA is given. */
  checkRuns(repository: string, sha?: string): readonly Readonly<CheckRun>[];
  checkSuites(repository: string): readonly Readonly<CheckSuite>[];
  /** Oldest first, each with its states. */
  deployments(repository: string): readonly Readonly<Deployment>[];
  /** A run comes to a job for an environment that the App protects, and waits for its word. */
  startWorkflowRun(repository: string, run: NewWorkflowRun): Readonly<WorkflowRun>;
  cancelWorkflowRun(id: number): void;
  /** The same run comes to its job once more, in another attempt. */
  rerunWorkflowRun(id: number, by: string): Readonly<WorkflowRun>;
  /** Oldest first, each with the words of the App. */
  workflowRuns(repository: string): readonly Readonly<WorkflowRun>[];
  comments(pr: PullRequestRef): readonly Readonly<Comment>[];
  pullRequest(pr: PullRequestRef): Readonly<PullRequest>;
  /** Newest first. */
  pullRequests(repository: string): readonly Readonly<PullRequest>[];
  /** Attempts to deliver webhooks, oldest first. */
  deliveries(): readonly Readonly<Delivery>[];
  /** Sends a webhook again, with the same GUID. Resolves with the new attempt. */
  redeliver(deliveryId: number): Promise<Readonly<Delivery>>;
  ping(): void;
  /** A token with which this person may fetch and push over HTTP, valid for an hour. */
  personToken(login: string): string;
  readonly faults: Faults;
  /** Every API request that GitHub would have refused, and every one to a route that the stand-in does not have. */
  refusedRequests(): readonly RefusedRequest[];
  /** Throws an error that lists the refused requests, if there are any. */
  assertNoRefusedRequests(): void;
  /** How often each route was asked, by status; the most frequent first. */
  requestCounts(): RequestCount[];
  /** The largest number of API requests that were under way at once. */
  mostRequestsAtOnce(): number;
  resetTraffic(): void;
  /** Calls the listener after every change of anything, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Resolves with the first defined result of `ask`, which is called again after every change. Rejects after the deadline. */
  waitFor<T>(ask: () => T | undefined, options: { readonly what: string; readonly deadlineMs: number }): Promise<T>;
  /** Resolves when no webhook is on its way. */
  settled(): Promise<void>;
}
