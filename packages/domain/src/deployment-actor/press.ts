/** A person's answer to a plan. */
import { defined } from '../defined.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { PlanReview, Review } from '../plan/review.ts';
import type { Signed } from '../signed.ts';

export type Press = Signed<PlanReview> | Signed<PolicyOverride>;

export function isReview(press: Press): press is Signed<PlanReview> {
  // What came over the wire is not what the type promises.
  const { body }: { readonly body?: unknown } = press;
  return typeof body === 'object' && body !== null && 'answer' in body;
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
