/** The wait for a person, from the plan on the forge to an answer, or the end of a week. */
import type { Plan } from '../../plan/model.ts';
import { objectingPolicies } from '../../gates/objecting-policies.ts';
import { isoOf, type DeploymentActor, type Gate } from '../actor.ts';
import { advanceTo, goTo, note } from '../changes.ts';
import { withoutReason } from '../progress.ts';

/** After an approval that nobody signed, the gate opens once more, for the rest of its time. A plan that was made again says why. */
export function openGate(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const { progress, durations, gate, attempts } = actor;
  const expiresAt = progress.plan?.expiresAt ?? isoOf(now + durations.gateMs);
  const why = attempts.whyAgain;
  const more = { plan: { ...plan, expiresAt }, ...(why !== undefined && { reason: why }) };
  const opened = {
    ...actor,
    attempts: { ...attempts, applies: 0 },
    gate: { ...gate, digest: plan.digest, answer: undefined, approval: undefined },
  };
  const asking =
    progress.status === 'awaiting-review'
      ? note({ ...opened, progress: withoutReason(progress) }, more)
      : advanceTo(opened, 'awaiting-review', now, more);
  return { ...asking, step: { kind: 'review', plan, until: Date.parse(expiresAt) } };
}

/** Whether it takes somebody to let the plan go on that policies deny. */
function isObjectedTo({ progress }: DeploymentActor, plan: Plan): boolean {
  return objectingPolicies(plan, progress.overrides).length > 0;
}

/** Goes on once the plan is answered, or nobody has to answer. */
export function concludeReview(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const { answer } = actor.gate;
  if (answer?.answer === 'approved') return goTo(actor, { kind: 'permission', plan });
  const closed = { ...actor, gate: closedGate(actor.gate) };
  if (answer !== undefined) return goTo(advanceTo(closed, 'rejected', now, { review: answer }), { kind: 'end' });
  if (!plan.reviewRequired && !isObjectedTo(actor, plan)) return goTo(closed, { kind: 'permission', plan });
  return actor;
}

/** Nobody answered in time. An approval that came before this was looked at counts: the worker was away meanwhile, not the person. */
export function expire(actor: DeploymentActor, now: number): DeploymentActor {
  if (actor.step.kind !== 'review' || actor.step.until > now) return actor;
  return goTo(advanceTo({ ...actor, gate: closedGate(actor.gate) }, 'expired', now), { kind: 'end' });
}

/** Nobody can answer any more. */
export function closedGate(gate: Gate): Gate {
  return { ...gate, digest: undefined, answer: undefined };
}
