import type { Action } from '../actions/actions.ts';
import type { OperatorRequest } from './console-request.ts';

/** A person's request, and the answer. Reviews, which their deployments judge, are not among them. */
export type UserAction = RootAction | OperatorUserAction;

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
  /** Of a `stop` or a `break_glass`: the person's words, hostile. */
  readonly reason?: string;
  /** It is about the plan of a pull request that is not merged yet. */
  readonly beforeMerge?: true;
}

/** A request that is about no repository. */
export type OperatorUserAction = OperatorRequest & AnsweredAction;

interface AnsweredAction {
  /** The reason for the refusal, at most 500 characters; absent when the action was accepted. */
  readonly refusal?: string;
}

/** Signed by intake: that the person of this delivery asked for this, and got this answer. */
export interface JudgedAction {
  readonly version: 1;
  readonly delivery: string;
  readonly action: UserAction;
}
