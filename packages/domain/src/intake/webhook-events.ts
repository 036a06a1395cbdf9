import type { PressedButton } from '../deployment/check-run.ts';
import type { Repository } from '../root/repository.ts';

/** The person behind an event. */
export interface Sender {
  /** Login on the forge. */
  readonly sender: string;
  /** The forge's id of the same person, which stays when the login changes hands. */
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
  /** By the forge's clock. ISO 8601. */
  readonly pushedAt?: string;
}

/** A pull request was opened, changed or closed. The forge is asked for its current state. */
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

/** A run of GitHub Actions has come to a job for an environment that Nereid protects, and waits for its answer. */
export interface ProtectedRunEvent extends Sender {
  readonly kind: 'protected-run';
  readonly repository: Repository;
  /** The forge's number of the run, which stays when the run is started again. */
  readonly runId: number;
  /** The forge's number of the deployment that waits. Each attempt of a run makes another one; a later one has a higher number. */
  readonly deploymentId: number;
  /** When it began to wait, by the forge's clock. ISO 8601. */
  readonly askedAt: string;
  /** Hostile: a workflow file names it. At most 255 characters. */
  readonly environment: string;
  /** The commit that the run is about. */
  readonly sha: string;
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
  /** When it was written, by the forge's clock. ISO 8601. Tells which head its author saw. */
  readonly createdAt: string;
  /** The first line, at most 500 characters. Hostile. */
  readonly line: string;
}
