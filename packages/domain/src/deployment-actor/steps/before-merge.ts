/**
 * A merge whose plan a person confirmed on the pull request: exactly that plan is applied, without another plan or question. If
 * anything is not as it was reviewed, the deployment goes on as any other, and its check run says what is different.
 */
import type { ReviewedPlan } from '../../plan/merge-review.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { note } from '../changes.ts';
import { answerOf } from '../press.ts';
import { planAnew, planBecause } from './plan-anew.ts';

const DIVERGED = 'this commit does not contain what is deployed';

export function findReviewed(actor: DeploymentActor, now: number): DeploymentActor {
  if (actor.input.reviewRequired) return planAnew(actor, DIVERGED, now);
  return { ...actor, step: { kind: 'find-reviewed' } };
}

export function foundReviewed(actor: DeploymentActor, found: ReviewedPlan, now: number): DeploymentActor {
  if (found.kind === 'unusable') return planBecause(actor, found.why, now);
  const { plan, job, approval } = found;
  const review = answerOf(approval, isoOf(now));
  return {
    ...note(actor, { plan, review, jobs: job === undefined ? {} : { plan: job } }),
    reviewing: { ...actor.reviewing, approval },
    step: { kind: 'claim', for: { kind: 'reviewed', plan } },
  };
}
