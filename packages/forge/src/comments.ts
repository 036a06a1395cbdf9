/** Our comments on pull requests. Creating one is not idempotent. */
import type { Repository } from '@nereid/domain/root';
import type { BackgroundOptions } from './status/background.ts';

export interface NewComment {
  /** Markdown; cut off at the limit of the forge. */
  readonly body: string;
  /** The same for every attempt to write this comment: letters, digits and dashes. */
  readonly key: string;
  /** An earlier attempt, not before this time, may have written the comment: look first. */
  readonly mayExistSince?: Date;
}

export interface Comments {
  /** Writes a comment on a pull request. An unknown outcome is left to the next attempt of the caller. */
  create(repository: Repository, pullRequest: number, comment: NewComment): Promise<void>;
  /** Adds our reaction to a comment of anybody. Again: the same as once. */
  react(repository: Repository, commentId: number, reaction: Reaction): Promise<void>;
  readonly kept: KeptComments;
}

/** 👀, 👍 and 👎. */
export type Reaction = 'eyes' | '+1' | '-1';

export interface KeptCommentRequest extends BackgroundOptions {
  readonly repository: Repository;
  /** The number of the pull request. */
  readonly number: number;
}

/**
 * The comment on a pull request that is kept up to date. In the turn of pull requests, and creates with one attempt only; see
 * `Statuses.present` for what it throws.
 */
export interface KeptComments {
  /** The id of ours, the oldest if there are several. `since`, ISO 8601: it was not written before. */
  find(request: KeptCommentRequest, since?: string): Promise<number | undefined>;
  /** Returns the id. */
  create(request: KeptCommentRequest, body: string): Promise<number>;
  /** False when there is no such comment any more. */
  update(request: KeptCommentRequest, id: number, body: string): Promise<boolean>;
}
