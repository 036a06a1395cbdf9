/**
 * A gate at the door `apply` is closed. The deployment waits without a job and without the turn of its lane, keeps its plan and its
 * approval, and asks for permission again.
 */
import { askAgainAt } from '../../gates/clock/ask-again.ts';
import type { GateWait } from '../../gates/gate.ts';
import { isJobAuditEvent } from '../../trail/audit-event.ts';
import { closeJob, isoOf, type DeploymentActor } from '../actor.ts';
import { advanceTo, audit, note, withAudits, writeAudits } from '../changes.ts';
import type { PermissionStep } from '../step.ts';

/** Its approval, if it has one, is signed: control looked at that first. */
export function waitAtGate(
  actor: DeploymentActor,
  { applying: { plan, job }, audits, isSecond }: PermissionStep,
  { sentence, isRepeated, ...waitsFor }: GateWait,
  now: number,
): DeploymentActor {
  const mayBeTold = isSecond === true || isRepeated === true;
  const unbegun = mayBeTold
    ? audit(withAudits(actor, audits), closeJob(job, now), 'FAILURE')
    : withAudits(
        withoutJob(actor, job.id),
        audits.filter((event) => !isJobAuditEvent(event)),
      );
  // The audit trail hears of an approval now: the apply may be days away.
  const told = writeAudits(unbegun);
  const why = { reason: sentence, waitsFor };
  const waiting = told.progress.status === 'blocked' ? note(told, why) : advanceTo(told, 'blocked', now, why);
  // The longer the gate is closed already, the later.
  const waitedMs = now - Date.parse(waiting.progress.times.blocked ?? isoOf(now));
  return { ...waiting, step: { kind: 'gate', plan, askAt: askAgainAt(waitsFor.until, waitedMs, now) } };
}

/** Nobody heard of the job, so the next one has its number. */
function withoutJob(actor: DeploymentActor, jobId: string): DeploymentActor {
  const { attempts, hosts, trail } = actor;
  return {
    ...actor,
    attempts: { ...attempts, applies: attempts.applies - 1 },
    hosts: { ...hosts, jobs: { ...hosts.jobs, apply: hosts.jobs.apply - 1 } },
    trail: { ...trail, audits: trail.audits.filter((event) => !isJobAuditEvent(event) || event.jobId !== jobId) },
  };
}
