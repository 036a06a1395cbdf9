/** The wait for a person, from the plan on the forge to an answer, or the end of a week. */
import type { Plan } from '../../plan/model.ts';
import type { Review } from '../../plan/review.ts';
import { defined } from '../../defined.ts';
import { confirmFacts } from '../../gates/reviews/confirm-facts.ts';
import type { ClosedGate } from '../../gates/gate.ts';
import { stoppingGate } from '../../gates/gates.ts';
import { isoOf, type DeploymentActor, type Reviewing } from '../actor.ts';
import { advanceTo, goTo, note } from '../changes.ts';
import { withoutReason } from '../progress.ts';

/**
 * After an approval that nobody signed, a person is asked once more, for the rest of the time. A plan that was made again says
 * why.
 */
export function openReview(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const { progress, durations, reviewing, attempts } = actor;
  const expiresAt = progress.plan?.expiresAt ?? isoOf(now + durations.reviewMs);
  const why = attempts.whyAgain;
  const more = { plan: { ...plan, expiresAt }, ...(why !== undefined && { reason: why }) };
  const opened = {
    ...actor,
    attempts: { ...attempts, applies: 0 },
    reviewing: { ...reviewing, digest: plan.made.body.digest, answer: undefined, approval: undefined },
  };
  const asking =
    progress.status === 'awaiting-review'
      ? note({ ...opened, progress: withoutReason(progress) }, more)
      : advanceTo(opened, 'awaiting-review', now, more);
  return { ...asking, step: { kind: 'review', plan, until: Date.parse(expiresAt) } };
}

/** Why the plan is not applied yet; `answer` is the login of the person who was asked. */
export function whyNotConfirmed(
  { input, progress }: DeploymentActor,
  plan: Plan,
  now: number,
  answer?: Review['answer'],
): ClosedGate | undefined {
  return stoppingGate('confirm', confirmFacts(input.deployment.root, progress, plan, answer), now);
}

/** Goes on once the plan is answered, or nobody has to answer. */
export function concludeReview(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const { answer } = actor.reviewing;
  const why = whyNotConfirmed(actor, plan, now, answer?.answer);
  if (why?.kind === 'waits') return actor;
  if (answer?.answer === 'approved') return goTo(actor, { kind: 'permission', plan });
  const closed = { ...actor, reviewing: closedReview(actor.reviewing) };
  if (why === undefined) return goTo(closed, { kind: 'permission', plan });
  return goTo(advanceTo(closed, why.status, now, defined({ review: answer })), { kind: 'end' });
}

/**
 * Nobody answered in time. An approval that came before this was looked at counts: the worker was away meanwhile, not the person.
 */
export function expire(actor: DeploymentActor, now: number): DeploymentActor {
  if (actor.step.kind !== 'review' || actor.step.until > now) return actor;
  return goTo(advanceTo({ ...actor, reviewing: closedReview(actor.reviewing) }, 'expired', now), { kind: 'end' });
}

/** Nobody can answer any more. */
export function closedReview(reviewing: Reviewing): Reviewing {
  return { ...reviewing, digest: undefined, answer: undefined };
}
