/** The stand-in's memory: plain, mutable data, all of it in one JSON file. Times are ISO 8601 without fractions of a second. */

export const ROLES = ['read', 'triage', 'write', 'maintain', 'admin'] as const;

/** From least to most, as in `ROLES`. */
export type Role = (typeof ROLES)[number];

export interface State {
  version: 1;
  /** GitHub's ids are unique per kind; ours are unique altogether, which is easier to read in a log. */
  nextId: number;
  accounts: Account[];
  teams: Team[];
  installations: Installation[];
  tokens: Token[];
  repositories: Repository[];
  branchRules: BranchRules[];
  mergeQueues: MergeQueue[];
  /** Oldest first. */
  activities: Activity[];
  pullRequests: PullRequest[];
  comments: Comment[];
  reviews: Review[];
  checkSuites: CheckSuite[];
  checkRuns: CheckRun[];
  deployments: Deployment[];
  workflowRuns: WorkflowRun[];
  deliveries: Delivery[];
}

export interface Account {
  id: number;
  login: string;
  type: 'User' | 'Organization' | 'Bot';
}

export interface Team {
  organization: string;
  slug: string;
  members: string[];
}

/** The App, installed by one account. */
export interface Installation {
  id: number;
  account: string;
  createdAt: string;
}

export interface Token {
  /** SHA-256 in hex; the token itself is returned once and never kept. */
  hash: string;
  expiresAt: string;
  holder:
    | {
        kind: 'installation';
        installationId: number;
        permissions: Permissions;
        /** Undefined for all repositories of the installation. */
        repositoryIds: number[] | undefined;
      }
    | { kind: 'person'; login: string }
    /** The App, when it acts for a person. */
    | { kind: 'user'; login: string; refreshHash?: string };
}

export type Permissions = Partial<Record<string, 'read' | 'write' | 'admin'>>;

/** No installation has this id. */
export const NOT_INSTALLED = 0;

export interface Repository {
  id: number;
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  /** `NOT_INSTALLED` where the App is not. */
  installationId: number;
  createdAt: string;
  pushedAt: string;
  /** The number of the next pull request. */
  nextNumber: number;
  /** By login. */
  collaborators: Record<string, Role>;
}

/** The demands of a branch on pull requests into it. */
export interface BranchRules {
  repositoryId: number;
  branch: string;
  /** Names of check runs. */
  requiredChecks: string[];
  /** Null for none: people merge pull requests directly. */
  mergeQueue: { groupSize: number } | null;
}

/** The pull requests that are to be merged into one branch, in this order: those in groups, then those that wait. */
export interface MergeQueue {
  repositoryId: number;
  branch: string;
  groups: MergeGroup[];
  waiting: QueueEntry[];
}

/** Pull requests that are checked and merged together. */
export interface MergeGroup {
  entries: QueueEntry[];
  /** Null until it is made, and whenever it has to be made again. */
  commit: GroupCommit | null;
}

export interface GroupCommit {
  /** `gh-readonly-queue/<base>/pr-<number of the last pull request>-<base SHA>`. */
  branch: string;
  /** The head of the group before, or of the base branch for the first group. */
  baseSha: string;
  headSha: string;
  /** The merge commit of each entry; the last one is the head. */
  merges: string[];
}

export interface QueueEntry {
  pullRequestId: number;
  /** The head that was enqueued. */
  headSha: string;
  /** The login of the person who enqueued it. */
  by: string;
}

/** One move of a branch. */
export interface Activity {
  id: number;
  repositoryId: number;
  branch: string;
  before: string;
  after: string;
  kind: ActivityKind;
  actor: string;
  at: string;
}

export type ActivityKind =
  'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge' | 'merge_queue_merge';

export interface PullRequest {
  id: number;
  repositoryId: number;
  number: number;
  title: string;
  body: string;
  author: string;
  draft: boolean;
  state: 'open' | 'closed';
  headBranch: string;
  headSha: string;
  /** Whether its head is in a fork that was deleted; the commits are here, as GitHub keeps them for the pull request. */
  fromDeletedFork: boolean;
  /** The fork that its head is in. Its commits are here as well, but on no branch of this repository. */
  fork?: { readonly owner: string; readonly repositoryId: number };
  baseBranch: string;
  /** The head of the base branch while the pull request is open; later, the head just before the merge or the closing. */
  baseSha: string;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  merged: { sha: string; by: string; at: string } | null;
  /** Who put it into a merge queue, oldest first; absent for nobody. */
  enqueued?: Enqueued[];
}

export interface Enqueued {
  id: number;
  by: string;
  at: string;
}

export interface Comment {
  id: number;
  pullRequestId: number;
  author: string;
  body: string;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
}

export interface Reaction {
  id: number;
  author: string;
  content: string;
  createdAt: string;
}

export interface Review {
  id: number;
  pullRequestId: number;
  author: string;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  body: string;
  commit: string;
  submittedAt: string;
}

/** All check runs of the App on one commit. */
export interface CheckSuite {
  id: number;
  repositoryId: number;
  headSha: string;
  /** The branch to which the commit was first pushed. */
  headBranch: string | null;
  before: string | null;
  /** *Re-run* or *Re-run all* was pressed, and the App has written no check run since. */
  rerequested: boolean;
  createdAt: string;
  updatedAt: string;
}

export type CheckStatus = 'queued' | 'in_progress' | 'completed';

export type CheckConclusion =
  'action_required' | 'cancelled' | 'failure' | 'neutral' | 'success' | 'skipped' | 'timed_out';

export interface CheckRun {
  id: number;
  repositoryId: number;
  suiteId: number;
  name: string;
  headSha: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  startedAt: string;
  completedAt: string | null;
  output: CheckOutput;
  /** Shown as buttons once the check run is completed. */
  actions: CheckAction[];
}

interface CheckOutput {
  title: string | null;
  /** Markdown. */
  summary: string | null;
  /** Markdown. */
  text: string | null;
  annotations: Record<string, unknown>[];
}

export interface CheckAction {
  label: string;
  description: string;
  identifier: string;
}

export interface Deployment {
  id: number;
  repositoryId: number;
  ref: string;
  sha: string;
  task: string;
  environment: string;
  description: string | null;
  payload: unknown;
  creator: string;
  createdAt: string;
  updatedAt: string;
  statuses: DeploymentStatus[];
}

export interface DeploymentStatus {
  id: number;
  state: string;
  description: string;
  logUrl: string;
  environmentUrl: string;
  creator: string;
  createdAt: string;
}

/** A run of GitHub Actions that has come to a job for an environment which the App protects. */
export interface WorkflowRun {
  id: number;
  repositoryId: number;
  /** Of the newest attempt. */
  deploymentId: number;
  attempt: number;
  environment: string;
  state: 'waiting' | 'approved' | 'rejected' | 'cancelled';
  /** The words of the App on the newest attempt, oldest first. */
  comments: string[];
}

/** One attempt to bring one webhook to the App. */
export interface Delivery {
  id: number;
  /** `X-GitHub-Delivery`; the same for every attempt. */
  guid: string;
  event: string;
  action: string | null;
  installationId: number;
  repositoryId: number | null;
  redelivery: boolean;
  deliveredAt: string;
  durationMs: number;
  /** In GitHub's words: `OK`, `Invalid HTTP Response: 503`, `timed out`, `failed to connect to host`. */
  status: string;
  /** 502 when there was no answer, 504 when it came too late, as GitHub reports it. */
  statusCode: number;
  requestHeaders: Record<string, string>;
  payload: string;
  responseHeaders: Record<string, string>;
  /** At most its first 64 KiB. */
  responseBody: string;
}
