import type { DeploymentRequest } from '../deployment/request.ts';
import type { Progress } from '../deployment/progress.ts';
import type { Repository } from '../root/repository.ts';

/** Signal `new-revision`. */
export interface NewRevision extends DeploymentRequest {
  readonly version: 1;
  /**
   * The same for the same request. A lane that made up ids itself would make up the same ids again, for other requests, after
   * Temporal was restored from a backup.
   */
  readonly deploymentId?: string;
}

/** Signal `unlock`. */
export interface Unlock {
  readonly version: 1;
  readonly requestId: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** When the person asked, ISO 8601. A lock that was set later is not lifted. Without it, the lock's age does not count. */
  readonly askedAt?: string;
  /** The deployment whose button was pressed: only the lock that it shows is lifted. Without it, any lock is lifted. */
  readonly deploymentId?: string;
  /** Control's, over `unlockFacts`. */
  readonly signature?: string;
}

/** What control signs: that this person, who may, asked for the lock of this lane to be lifted. */
export function unlockFacts(
  { owner, name }: Repository,
  rootName: string,
  { by, byId, askedAt }: Pick<Unlock, 'by' | 'byId' | 'askedAt'>,
): object {
  return { owner, name, rootName, by, byId, askedAt };
}

/** Answer to `unlock`. */
export type UnlockAnswer =
  | { readonly kind: 'unlocked' }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Signal `cancel`: a waiting deployment leaves the queue, a running one is asked to end gracefully. */
export interface Cancel {
  readonly version: 1;
  /** A repeated request gets the same answer. */
  readonly requestId: string;
  readonly deploymentId: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** Control's, over `cancelFacts`. */
  readonly signature?: string;
}

/** What control signs: that this person, who may, asked for the end of this deployment. */
export function cancelFacts(deploymentId: string, { by, byId }: Pick<Cancel, 'by' | 'byId'>): object {
  return { deploymentId, by, byId };
}

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
}
