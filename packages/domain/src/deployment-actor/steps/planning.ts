/**
 * Planning: the first host with a free slot prepares, plans and keeps the plan. After a host failed, the plan is offered again, after a
 * pause that doubles. A preview that was interrupted for a deployment is planned again. What Terraform says is final: a failed plan is
 * not repeated.
 */
import { defined } from '../../defined.ts';
import type { PlannedOnHost } from '../../deployment/job/plan-outcome.ts';
import type { CarriedReview } from '../../plan/carried-review.ts';
import { otherStateOf } from '../../plan/other-state.ts';
import type { MadePlan, Plan } from '../../plan/model.ts';
import type { Signed } from '../../signed.ts';
import { needsReview } from '../../gates/needs-review.ts';
import { closeJob, isPreview, type DeploymentActor } from '../actor.ts';
import { advanceTo, delegateCleanUp, goTo, note, openJob, pause, withPatience } from '../changes.ts';
import { HOSTS_TRIED } from '../../deployment/rules/durations.ts';
import { isForged, isHostLost, wasSlotNeeded, type EffectFailure } from '../events.ts';
import { endOfApply, failed } from '../progress.ts';
import type { PlanStep, VerifyPlanStep } from '../step.ts';
import { isConfirmedRejected } from '../presses/presses.ts';
import { carryReview, mayCarry } from './carrying.ts';
import { openReview, whyNotConfirmed } from './review.ts';
import { endWait, plannerFound } from './waiting.ts';

/** If the state changes under every plan, something else changes it all the time, and a person has to find it. */
const PLANS_TRIED = 5;

/** `why` says why the last plan could not be used. */
export function beginPlanning(actor: DeploymentActor, why: string | undefined, now: number): DeploymentActor {
  const { plans } = actor.attempts;
  if (plans === PLANS_TRIED)
    return failPlan(actor, `${PLANS_TRIED} plans in a row could not be used. The last one: ${why ?? ''}`, now);
  const attempts = { ...actor.attempts, plans: plans + 1, whyAgain: why, lost: 0, refused: 0, applies: 0 };
  const [opened, step] = withPlanStep(withPatience({ ...actor, attempts }, now), now);
  return { ...opened, step };
}

/** Each attempt has a job of its own: what a lost host still writes goes to the log of its own job. */
function withPlanStep(actor: DeploymentActor, now: number): readonly [DeploymentActor, PlanStep] {
  const [opened, { id: jobId }] = openJob(actor, 'plan', now);
  return [opened, { kind: 'plan', jobId }];
}

export function planned(
  actor: DeploymentActor,
  step: PlanStep,
  { claim, since, outcome }: PlannedOnHost,
  now: number,
): DeploymentActor {
  const { hostId } = claim.body;
  const there = plannerFound(actor, step, { hostId, since }, now);
  const known = { ...there, hosts: { ...there.hosts, claim } };
  const isEnd = outcome.kind === 'failed' || isPreview(known);
  const cleaned = isEnd ? delegateCleanUp(known, hostId) : known;
  // A stopped plan says that it failed; only the workflow knows that it was cancelled.
  if (cleaned.isCancelled) return cleaned;
  const { plan: job } = cleaned.progress.jobs;
  const closed = job === undefined ? cleaned : note(cleaned, { jobs: { plan: closeJob(job, now) } });
  switch (outcome.kind) {
    case 'failed':
      return goTo(advanceTo(closed, 'plan-failed', now, { failure: outcome.failure }), { kind: 'end' });
    case 'apply-begun': {
      // Only a workflow from a backup does not know of it. That plan had changes, or hardly anybody would have asked.
      const { status, more } = endOfApply(outcome.outcome, { hasChanges: true });
      return goTo(advanceTo(closed, status, now, more), { kind: 'end' });
    }
    case 'planned': {
      const plan = planOf(closed, outcome.plan);
      const why = isPreview(closed) ? undefined : whyNotConfirmed(closed, plan, now);
      if (why === undefined) return usePlan(closed, plan, now);
      if (why.gate === 'review' && mayCarry(closed, plan)) return { ...closed, step: { kind: 'carry-review', plan } };
      return verifyPlan(closed, plan, now);
    }
  }
}

/** Without an answer, people are asked again, and where somebody rejects what was confirmed. */
export function reviewCarried(
  actor: DeploymentActor,
  plan: Plan,
  answer: CarriedReview | undefined,
  now: number,
): DeploymentActor {
  const carried =
    answer === undefined || isConfirmedRejected(actor) ? undefined : carryReview(actor, plan, answer, now);
  return carried ?? verifyPlan(actor, plan, now);
}

function planOf(actor: DeploymentActor, made: Signed<MadePlan>): Plan {
  const { input } = actor;
  const { root } = input.deployment;
  const otherState = made.body.hasChanges ? otherStateOf(made.body, input.state) : undefined;
  const isAsked = input.reviewRequired || otherState !== undefined;
  const reviewRequired = !isPreview(actor) && needsReview(made.body, root, isAsked);
  return { made, reviewRequired, ...defined({ otherState }) };
}

function verifyPlan(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const { progress: question } = askPerson(actor, plan, now);
  return {
    ...actor,
    step: {
      kind: 'verify-plan',
      plan,
      question,
      askedAt: now,
      verifyAt: now + actor.durations.promptMs,
      isRefused: false,
    },
  };
}

/** The review is open since it was asked for. */
export function planProven(actor: DeploymentActor, { plan, askedAt }: VerifyPlanStep): DeploymentActor {
  return askPerson(actor, plan, askedAt);
}

function askPerson(actor: DeploymentActor, plan: Plan, askedAt: number): DeploymentActor {
  return openReview(note(actor, { plan }), plan, askedAt);
}

/** Nobody is asked. */
function usePlan(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const known = note(actor, { plan });
  if (isPreview(known)) return goTo(advanceTo(known, 'planned', now), { kind: 'end' });
  return goTo(known, { kind: 'permission', plan });
}

/** The failure names the host that planned, unless none took the plan, or it was lost without a word. */
export function plannerFailed(
  actor: DeploymentActor,
  step: PlanStep,
  { host }: EffectFailure,
  now: number,
): DeploymentActor {
  if (host !== undefined) return plannerFound(actor, step, host, now);
  return step.host === undefined ? endWait(actor, step, now) : actor;
}

export function failPlanning(actor: DeploymentActor, failure: EffectFailure, now: number): DeploymentActor {
  const { why } = failure;
  if (isPreview(actor) && wasSlotNeeded(failure)) {
    // Nothing is wrong, so it has no pause and no limit but the time within which a preview is planned at all.
    const [opened, step] = withPlanStep(note(actor, { reason: `Planning begins again: ${why}` }), now);
    return { ...opened, step };
  }
  // It may be the host that does not know a key, or whose key nobody knows.
  const isRefused = isForged(failure);
  if (failure.kind === 'refused' && !isRefused) return failPlan(actor, why, now);
  const lost = actor.attempts.lost + (isHostLost(failure) ? 1 : 0);
  const refused = actor.attempts.refused + (isRefused ? 1 : 0);
  if (refused === HOSTS_TRIED) return failPlan(actor, why, now);
  if (lost === HOSTS_TRIED) return failPlan(actor, `${lost} hosts were lost: ${why}`, now, 'host-lost');
  const counted = { ...actor, attempts: { ...actor.attempts, lost, refused } };
  const [opened, next] = withPlanStep(counted, now);
  const again = pause(opened, `Planning is tried again: ${why}`, next, now);
  return again ?? failPlan(counted, `It could not be planned: ${why}`, now);
}

function failPlan(
  actor: DeploymentActor,
  reason: string,
  now: number,
  status: 'plan-failed' | 'host-lost' = 'plan-failed',
): DeploymentActor {
  return goTo(advanceTo(actor, status, now, { reason, failure: failed(reason) }), { kind: 'end' });
}
