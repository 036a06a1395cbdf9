import type { DeploymentRequest } from '../deployment/request.ts';
import type { Progress } from '../deployment/progress.ts';

/** Signal `new-revision`. */
export interface NewRevision extends DeploymentRequest {
  readonly version: 1;
  /**
   * The same for the same request. A lane that made up ids itself would make up the same ids again, for other requests, after
   * Temporal was restored from a backup.
   */
  readonly deploymentId?: string;
}

/** Answer to `unlock`. */
export type UnlockAnswer =
  | { readonly kind: 'unlocked' }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Answer to `cancel`. */
export type CancelAnswer =
  /** It has left the queue. */
  | { readonly kind: 'cancelled' }
  /** It runs, and was asked to end. */
  | { readonly kind: 'cancelling' }
  /** Nothing was changed: it has ended, or this lane does not know it. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** There is no answer yet. The reason is a clause. */
export interface Pending {
  readonly kind: 'pending';
  readonly reason: string;
}

/** Answer to the query `answer`, which takes the `requestId` of an `unlock` or a `cancel`. */
export type LaneAnswer = UnlockAnswer | CancelAnswer | Pending;

/** Answer to the query `knows`, which takes the id of a deployment: whether the lane would show a notice on it. */
export type LaneKnows = { readonly kind: 'known' } | { readonly kind: 'unknown' } | Pending;

/**
 * Signal `deployment-ended`: sent for a terraform workflow before the forge shows its end, or when it closed without sending it.
 * It may come twice.
 */
export interface DeploymentEnded {
  readonly version: 1;
  readonly deploymentId: string;
  /** Its status is one of `ENDED_STATUSES`. */
  readonly progress: Progress;
  /** The terraform workflow is closed, and shows nothing any more. */
  readonly isClosed?: boolean;
}

/** Signal `resume`: starts a lane that does not run, which goes on from its record. A running lane ignores it. */
export interface Resume {
  readonly version: 1;
}

/** Signal `look-again`, to a lane: a deployment that one of its own waits for has ended, or waits for a person. */
export interface LookAgain {
  readonly version: 1;
  /** Its check runs are to be written again: they say more than the lane knows, such as when a window closes. */
  readonly isToShow?: true;
}
