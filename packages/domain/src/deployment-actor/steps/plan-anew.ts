/** A plan that cannot be used is made and reviewed again. */
import { isoOf, type DeploymentActor } from '../actor.ts';
import { enterState, goTo, writeAudits } from '../changes.ts';
import { planAgain } from '../progress.ts';
import { confirmedPlan } from './carrying.ts';

/** If a person confirmed a plan before the merge, the check run says what is not as it was then. */
export function planAnew(actor: DeploymentActor, why: string, now: number): DeploymentActor {
  const { reviewed } = actor.input.deployment;
  if (!isReviewedBefore(actor) || reviewed === undefined) return planBecause(actor, why, now);
  return planBecause(actor, `@${reviewed.review.body.by} confirmed a plan of this before the merge, but ${why}`, now);
}

/** The reason is a whole sentence. */
export function planBecause(actor: DeploymentActor, reason: string, now: number): DeploymentActor {
  const audited = writeAudits(actor);
  const { plan: _ofPreview, ...jobs } = audited.progress.jobs;
  const progress = isReviewedBefore(actor) ? { ...audited.progress, jobs } : audited.progress;
  const again = enterState(audited, planAgain(progress, isoOf(now), reason), now);
  const reviewing = { ...again.reviewing, approval: undefined, confirmed: confirmedPlan(actor) };
  return goTo({ ...again, reviewing }, { kind: 'plan', why: reason });
}

/** Whether the deployment has made no plan of its own. */
function isReviewedBefore({ input, attempts }: DeploymentActor): boolean {
  return input.deployment.reviewed !== undefined && attempts.plans === 0;
}
