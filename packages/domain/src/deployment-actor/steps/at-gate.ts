/**
 * A gate at the door `apply` is closed. The deployment waits without a job and without the turn of its lane, keeps its plan and its
 * approval, and asks for permission again.
 */
import { askAgainAt } from '../../gates/waits/ask-again.ts';
import { shownWait, type GateWait } from '../../gates/waits/gate-wait.ts';
import type { Review } from '../../plan/review.ts';
import { isJobAuditEvent } from '../../trail/audit-event.ts';
import { closeJob, isoOf, type DeploymentActor } from '../actor.ts';
import { advanceTo, audit, goTo, note, withAudits, writeAudits } from '../changes.ts';
import type { PermissionStep } from '../step.ts';
import { closedReview } from './review.ts';

/** Its approval, if it has one, is signed: control looked at that first. */
export function waitAtGate(actor: DeploymentActor, step: PermissionStep, wait: GateWait, now: number): DeploymentActor {
  const told = withoutQuestion(actor, step, wait.isRepeated === true, now);
  const why = shownWait(wait);
  const waiting = told.progress.status === 'blocked' ? note(told, why) : advanceTo(told, 'blocked', now, why);
  return enterGate(waiting, step, wait, now);
}

/** No gate has answered, so the deployment goes on waiting for the same. The audit trail may have the start of its job. */
export function waitOn(actor: DeploymentActor, step: PermissionStep, now: number): DeploymentActor {
  return enterGate(withoutQuestion(actor, step, true, now), step, {}, now);
}

/** The gate may be open. */
export function ring(actor: DeploymentActor, now: number): DeploymentActor {
  const { step } = actor;
  if (step.kind === 'gate') return { ...actor, step: { ...step, askAt: now } };
  return step.kind === 'permission' ? { ...actor, step: { ...step, isRung: true } } : actor;
}

/** Nothing of its plan is applied. */
export function rejectAtGate(actor: DeploymentActor, review: Review, now: number): DeploymentActor {
  const closed = { ...actor, reviewing: closedReview(actor.reviewing) };
  return goTo(advanceTo(closed, 'rejected', now, { review }), { kind: 'end' });
}

function withoutQuestion(
  actor: DeploymentActor,
  { applying: { job }, audits, isSecond }: PermissionStep,
  isRepeated: boolean,
  now: number,
): DeploymentActor {
  const mayBeTold = isSecond === true || isRepeated;
  const unbegun = mayBeTold
    ? audit(withAudits(actor, audits), closeJob(job, now), 'FAILURE')
    : withAudits(
        withoutJob(actor, job.id),
        audits.filter((event) => !isJobAuditEvent(event)),
      );
  // The audit trail hears of an approval now: the apply may be days away.
  const told = writeAudits(unbegun);
  // A closed gate says nothing about jobs that did not begin.
  return { ...told, attempts: { ...told.attempts, applies: 0 } };
}

function enterGate(
  actor: DeploymentActor,
  { applying: { plan }, isRung }: PermissionStep,
  wait: Pick<GateWait, 'until' | 'askAgain'>,
  now: number,
): DeploymentActor {
  // The longer the gate is closed already, the later.
  const waitedMs = now - Date.parse(actor.progress.times.blocked ?? isoOf(now));
  const askAt = isRung === true ? now : askAgainAt(wait, waitedMs, now);
  return { ...actor, step: { kind: 'gate', plan, askAt } };
}

/** Nobody heard of the job, so the next one has its number. */
function withoutJob(actor: DeploymentActor, jobId: string): DeploymentActor {
  const { hosts, trail } = actor;
  return {
    ...actor,
    hosts: { ...hosts, jobs: { ...hosts.jobs, apply: hosts.jobs.apply - 1 } },
    trail: { ...trail, audits: trail.audits.filter((event) => !isJobAuditEvent(event) || event.jobId !== jobId) },
  };
}
