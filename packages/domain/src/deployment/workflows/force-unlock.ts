/**
 * `force-unlock` frees a lock of Terraform's state that a run left behind. Intake orders it, a host carries it out, and control
 * answers the comment. Each believes the one before by a signature.
 */
import type { Order } from '../order.ts';
import type { Failure } from '../../host/failure.ts';
import type { Signed } from '../../signed.ts';

/** Signed by intake: the rest is as for a manual deployment that plans and applies nothing. */
export interface ForceUnlockOrder extends Order {
  readonly unlocking: ForceUnlocking;
}

export interface ForceUnlocking {
  /** As Terraform says it. Hostile; of the form `isLockId`. */
  readonly lockId: string;
  /** The comment that asked for it. */
  readonly commentId: number;
  /** ISO 8601; minutes after it was ordered. */
  readonly expiresAt: string;
}

/** Signed by a host: the outcome of that order. */
export interface ForceUnlocked {
  readonly version: 1;
  /** Of the order. */
  readonly forceUnlockId: string;
  /** Intake's signature of the order. */
  readonly order: string;
  /** Present when Terraform, or a step before it, said no. */
  readonly failure?: Failure;
}

/** `unheard`: no host reported an outcome in time. It may have happened. */
export type ForceUnlockOutcome = Signed<ForceUnlocked> | 'unheard';

/** On a host's own queue. */
export interface ForceUnlockHostActivities {
  /** Prepares the root as for an apply and frees the lock. Again: Terraform finds no such lock any more. */
  forceUnlockOnHost(order: Signed<ForceUnlockOrder>): Promise<Signed<ForceUnlocked>>;
}

/** On the queue `deploy`, for the `forceUnlock` workflow. */
export interface ForceUnlockActivities {
  /** Tells the person and the audit trail the outcome. Returns a sentence. Throws `FORGED`. Can be retried. */
  answerForceUnlock(order: Signed<ForceUnlockOrder>, outcome: ForceUnlockOutcome): Promise<string>;
}

/** `force-unlock/<delivery>`: the workflow that frees a lock of a state, as a comment asked. */
export function forceUnlockWorkflowId(delivery: string): string {
  return `force-unlock/${delivery}`;
}
