/** A person's answer at the gate. */
import { defined } from '../defined.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { PlanReview, Review } from '../plan/review.ts';

export type Press = PlanReview | PolicyOverride;

export function isReview(press: Press): press is PlanReview {
  return 'answer' in press;
}

export function isApproval(press: Press): press is PlanReview {
  return isReview(press) && press.answer === 'approved';
}

export function requestIdOf({ requestId }: Press): string {
  return requestId;
}

export function isAbout({ deploymentId }: Press, id: string): boolean {
  return deploymentId === id;
}

/** The answer that a review gives, taken at this time, in ISO 8601. */
export function answerOf({ answer, by, byId, requestId, digest, at, signature }: PlanReview, takenAt: string): Review {
  const press = signature === undefined ? {} : { press: { requestId, digest, at, signature } };
  return { answer, by, ...defined({ byId }), at: takenAt, ...press };
}
