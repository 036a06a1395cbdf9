/** What people say to a plan: an answer, or that it has to wait for longer. */
import { defined } from '../defined.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { PlanReview, Review, ReviewExtension } from '../plan/review.ts';
import type { Signed } from '../signed.ts';

export type Press = AnsweringPress | Signed<ReviewExtension>;

/** Whether it counts or not, the audit trail hears of it from here. */
export type AnsweringPress = Signed<PlanReview> | Signed<PolicyOverride>;

export function isReview(press: Press): press is Signed<PlanReview> {
  return hasField(press, 'answer');
}

export function isExtension(press: Press): press is Signed<ReviewExtension> {
  return !isReview(press) && hasField(press, 'until');
}

function hasField(press: Press, field: string): boolean {
  // What came over the wire is not what the type promises.
  const { body }: { readonly body?: unknown } = press;
  return typeof body === 'object' && body !== null && field in body;
}

export function isApproval(press: Press): press is Signed<PlanReview> {
  return isReview(press) && press.body.answer === 'approved';
}

export function requestIdOf({ body }: Press): string {
  return body.requestId;
}

export function isAbout({ body }: Press, id: string): boolean {
  return body.deploymentId === id;
}

/** The answer that a review gives, taken at this time, in ISO 8601. */
export function answerOf(press: Signed<PlanReview>, takenAt: string): Review {
  const { answer, by, byId } = press.body;
  return { answer, by, ...defined({ byId }), at: takenAt, press };
}
