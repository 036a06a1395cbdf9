/** A person's answer at the gate. */
import type { PlanReview, PolicyOverride } from '@nereid/contracts';

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
