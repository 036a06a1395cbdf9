import type { PressedButton } from '../check-run.ts';
import type { Action, HostAction } from '../actions/actions.ts';
import type { HostRequestEvent, RequestEvent } from './console-request.ts';
import type { Repository } from '../repository.ts';

/** The start input of the intake workflow. */
export interface IntakeInput extends ReceivedEvent {
  /** How long the workflow tries to take the event, in milliseconds. Passed in so that tests run in milliseconds. */
  readonly patienceMs?: number;
}

/** The few fields of a webhook, at most 64 KiB, as the gateway received them; or a request, as the console did. */
export interface ReceivedEvent {
  readonly version: 1;
  /** `X-GitHub-Delivery`; of a request, the console's id of it. */
  readonly delivery: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** SHA-256 of the webhook's body, 64 hex digits: somebody may send the same body again as another delivery. */
  readonly bodyDigest?: string;
  readonly event: IntakeEvent;
  /** The gateway's, over `eventFacts`, which dies after three days; of a request, the console's, which dies after an hour. */
  readonly signature?: string;
}

export type IntakeEvent =
  | PushEvent
  | PullRequestEvent
  | MergeGroupEvent
  | ButtonEvent
  | RerunEvent
  | RerunAllEvent
  | CommentEvent
  | RequestEvent
  | HostRequestEvent;

/** The person behind an event. */
export interface Sender {
  /** GitHub login. */
  readonly sender: string;
  /** GitHub's id of the same person, which stays when the login changes hands. */
  readonly senderId?: number;
}

export interface PushEvent extends Sender {
  readonly kind: 'push';
  readonly repository: Repository;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** 40 zeros when the branch is new. */
  readonly before: string;
  readonly after: string;
  readonly forced: boolean;
  /** By GitHub's clock. ISO 8601. */
  readonly pushedAt?: string;
}

/** A pull request was opened, changed or closed. What it looks like now, GitHub is asked. */
export interface PullRequestEvent extends Sender {
  readonly kind: 'pull-request';
  readonly repository: Repository;
  readonly pullRequest: number;
  /** Like `opened`. */
  readonly action: string;
}

/** A merge queue asks for the checks of a group, or has made away with it. Which of them is true now, git is asked. */
export interface MergeGroupEvent extends Sender {
  readonly kind: 'merge-group';
  readonly repository: Repository;
  /** The last one of the group. */
  readonly pullRequest: number;
  /** Of the group, like `gh-readonly-queue/main/pr-12-<sha>`. */
  readonly branch: string;
  readonly headSha: string;
  /** Like `checks_requested`. */
  readonly action: string;
}

/** Somebody pressed a button on one of our check runs. */
export interface ButtonEvent extends Sender {
  readonly kind: 'button';
  readonly repository: Repository;
  readonly checkRun: PressedCheckRun;
  readonly button: PressedButton;
}

export interface PressedCheckRun {
  /** Absent when the request came from the console, and the deployment has no check run yet. */
  readonly id?: number;
  readonly name: string;
  readonly headSha: string;
  /** The deployment's id; empty for `nereid/config`. */
  readonly externalId: string;
  readonly conclusion: string | null;
}

/** *Re-run* on one check run. */
export interface RerunEvent extends Sender {
  readonly kind: 'rerun';
  readonly repository: Repository;
  readonly checkRun: PressedCheckRun;
}

/** *Re-run all* on our check suite. */
export interface RerunAllEvent extends Sender {
  readonly kind: 'rerun-all';
  readonly repository: Repository;
  readonly checkSuiteId: number;
  readonly headSha: string;
}

/** A comment on a pull request whose first line begins with our name. */
export interface CommentEvent extends Sender {
  readonly kind: 'comment';
  readonly repository: Repository;
  readonly pullRequest: number;
  readonly commentId: number;
  /** When it was written, by GitHub's clock. ISO 8601. Tells which head its author saw. */
  readonly createdAt: string;
  /** The first line, at most 500 characters. Hostile. */
  readonly line: string;
}

/** The result of an event, and of its intake workflow. */
export interface IntakeResult {
  /**
   * `signalled`: lanes, a terraform workflow or a host took the event. `refused`: a person was told why. `nothing`: there was
   * nothing to do.
   */
  readonly kind: 'signalled' | 'refused' | 'nothing';
  /** A sentence that says what happened, or why nothing did. */
  readonly sentence: string;
  /** Ids of the workflows signalled, at most 500. */
  readonly workflows: readonly string[];
  /** Of a request to deploy or to re-run: the deployments of the roots that it names. */
  readonly deployments?: readonly OrderedDeployment[];
  /** The user actions to audit; the workflow's own result leaves them out. */
  readonly userActions?: readonly UserAction[];
}

/** A deployment that its lane was told of. */
export interface OrderedDeployment {
  readonly id: string;
  readonly rootName: string;
}

/** A person's request, and the answer. Reviews, which their deployments judge, are not among them. */
export type UserAction = RootAction | HostUserAction;

/** A request for one or more roots. */
export interface RootAction extends AnsweredAction {
  readonly action: Action;
  /** Empty when the action is about no root in particular, or was refused before its roots were known. */
  readonly rootNames: readonly string[];
  readonly revision?: string;
  readonly deploymentId?: string;
  readonly pullRequest?: number;
  /** Of a `force_unlock`. */
  readonly lockId?: string;
  /** It is about the plan of a pull request that is not merged yet. */
  readonly beforeMerge?: true;
}

/** A request for a host. */
export interface HostUserAction extends AnsweredAction {
  readonly action: HostAction;
  readonly hostId: string;
}

interface AnsweredAction {
  /** The reason for the refusal, at most 500 characters; absent when the action was accepted. */
  readonly refusal?: string;
  /** Intake's, over `userActionFacts`. */
  readonly signature?: string;
}
