/**
 * `force-unlock` frees a lock of Terraform's state that a run left behind. Intake orders it, a host carries it out, and control
 * answers the comment. Each believes the one before by a signature.
 */
import { defined } from '../defined.ts';
import type { Repository } from '../root/repository.ts';
import { orderFacts, type Ordered } from './order.ts';
import type { Failure } from '../host/failure.ts';
import { jobIdOf } from '../host/job.ts';
import type { HostJob } from './host-job.ts';

/** What intake signs. */
export interface ForceUnlocking {
  /** As Terraform says it. Hostile; of the form `isLockId`. */
  readonly lockId: string;
  /** The comment that asked for it. */
  readonly commentId: number;
  /** ISO 8601; minutes after it was ordered. */
  readonly expiresAt: string;
}

/** The start input of the `forceUnlock` workflow. */
export interface ForceUnlockOrder {
  readonly version: 1;
  readonly repository: Repository;
  /** As of a manual deployment that plans and applies nothing: its signature is of another kind. */
  readonly ordered: Ordered;
  readonly unlocking: ForceUnlocking;
  /** Intake's, over `forceUnlockFacts`. */
  readonly signature?: string;
}

export type ForceUnlockOutcome =
  | { readonly kind: 'freed'; readonly signature: string }
  /** Terraform, or a step before it, said no. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly signature: string }
  /** No host reported an outcome in time. It may have happened. */
  | { readonly kind: 'unheard' };

/** On a host's own queue. */
export interface ForceUnlockHostActivities {
  /** Prepares the root as for an apply and frees the lock. Again: Terraform finds no such lock any more. */
  forceUnlockOnHost(order: ForceUnlockOrder): Promise<Exclude<ForceUnlockOutcome, { readonly kind: 'unheard' }>>;
}

/** On the queue `deploy`, for the `forceUnlock` workflow. */
export interface ForceUnlockActivities {
  /** Tells the person and the audit trail the outcome. Returns a sentence. Throws `FORGED`. Can be retried. */
  answerForceUnlock(order: ForceUnlockOrder, outcome: ForceUnlockOutcome): Promise<string>;
}

/** What intake signs: that this person, who may, wants this lock of this root freed. */
export function forceUnlockFacts({ version, repository, ordered, unlocking }: ForceUnlockOrder): object {
  const { lockId, commentId, expiresAt } = unlocking;
  return { version, ...orderFacts(repository, ordered), lockId, commentId, expiresAt };
}

/** What a host signs: what came of that order. */
export function forceUnlockOutcomeFacts(
  { ordered, signature: order }: ForceUnlockOrder,
  outcome: { readonly kind: 'freed' | 'failed'; readonly failure?: Failure },
): object {
  const { kind, failure } = outcome;
  return {
    forceUnlockId: ordered.id,
    order,
    kind,
    ...(failure && { summary: failure.summary, lines: failure.lines }),
  };
}

/** What the parts of a host that prepare a root know of it. Nothing plans or applies with it: no order is signed. */
export function jobOfForceUnlock({ repository, ordered }: ForceUnlockOrder): HostJob {
  const { id, root, revision, requestedBy, requestId, trigger, rerun, force, pullRequest } = ordered;
  const order = { requestId, trigger, rerun, force, ...defined({ pullRequest }) };
  return { deploymentId: id, jobId: jobIdOf(id, 'unlock', 1), repository, root, revision, requestedBy, order };
}

/** `force-unlock/<delivery>`: the workflow that frees a lock of a state, as a comment asked. */
export function forceUnlockWorkflowId(delivery: string): string {
  return `force-unlock/${delivery}`;
}
