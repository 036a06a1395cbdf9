/** Permission for one host to apply: control gives it, once it knows that a person approved the plan and the audit trail has it. */
import { defined } from '../../defined.ts';
import type { Deployment } from '../../deployment/model.ts';
import { OWN_NOTICES } from '../../deployment/notice.ts';
import { asksSeveral } from '../../gates/reviews/standing.ts';
import type { Job } from '../../host/job.ts';
import type { Plan } from '../../plan/model.ts';
import { reviewAuditEvent } from '../../trail/action-audit.ts';
import type { AuditEvent } from '../../trail/audit-event.ts';
import { auditEvent } from '../../trail/job-audit.ts';
import type { Beginning } from '../activities.ts';
import { closeJob, type DeploymentActor } from '../actor.ts';
import { advanceTo, audit, deploymentOf, goTo, note, notify, openJob, withAudits, writeAudits } from '../changes.ts';
import { isForged, isPlanTooOld, type AnsweredOf, type EffectFailure } from '../events.ts';
import { requestIdOf } from '../press.ts';
import { mayBeRejected } from '../presses/presses.ts';
import type { Applying, PermissionStep } from '../step.ts';
import { waitAtGate, waitOn } from './at-gate.ts';
import { close, replaceHost, withoutPermission } from './applying.ts';
import { planAnew, planBecause } from './plan-anew.ts';
import { closedReview } from './review.ts';

/** Opens a job. The giver of permission verifies the approval, too: in most cases, one activity does both. */
export function openPermission(actor: DeploymentActor, plan: Plan, now: number): DeploymentActor {
  const [opened, job] = openJob(actor, 'apply', now);
  const applying = { plan, job };
  const counted = { ...opened, attempts: { ...opened.attempts, applies: opened.attempts.applies + 1 } };
  if (plan.beforeMerge)
    return askPermission(counted, 'reviewed', applying, [startOf(counted, deploymentOf(counted), job)]);
  if (counted.reviewing.answer === undefined || counted.reviewing.approval === undefined)
    return askPatiently(audit(counted, job, 'RUNNING'), applying);
  // Each of several approvals was verified when it came, and told to the audit trail.
  if (asksSeveral(counted.input.deployment.root.review))
    return askPatiently(audit(withApproval(counted), job, 'RUNNING'), applying);
  return askPermission(counted, 'at once', applying, eventsOfApproved(counted, job));
}

export function askPermission(
  actor: DeploymentActor,
  asks: PermissionStep['asks'],
  applying: Applying,
  audits: readonly AuditEvent[] = [],
): DeploymentActor {
  return { ...actor, step: { kind: 'permission', asks, applying, audits } };
}

function askPatiently(actor: DeploymentActor, applying: Applying): DeploymentActor {
  const reason = 'Waiting for permission to apply: storage and the audit trail are told first';
  // One that waited at a gate has told why, and mostly goes on waiting.
  const told = actor.progress.status === 'blocked' ? actor : note(actor, { reason });
  return askPermission(told, 'patiently', applying);
}

/** For the host that was claimed last. */
export function beginningOf(actor: DeploymentActor, { applying, audits }: PermissionStep): Beginning {
  const { input, reviewing, hosts, trail } = actor;
  const { claim } = hosts;
  return {
    ...{ repository: input.repository, deployment: deploymentOf(actor) },
    ...(reviewing.approval && { review: reviewing.approval }),
    ...{ job: applying.job, hostId: claim?.body.hostId ?? '' },
    ...defined({ claim }),
    audits: [...trail.audits, ...audits],
  };
}

export function permitted(
  actor: DeploymentActor,
  step: PermissionStep,
  { effect, answer: go }: AnsweredOf<'begin'>,
  now: number,
): DeploymentActor {
  const { asks, applying } = step;
  const { audits, hostId } = effect.beginning;
  const written = new Set(audits.map(({ id }) => id));
  const trail = { ...actor.trail, audits: actor.trail.audits.filter(({ id }) => !written.has(id)) };
  // Nothing has begun yet, and storage lets nothing begin that a person has rejected.
  if (mayBeRejected(actor)) return waitOn({ ...actor, trail }, { ...step, audits: [] }, now);
  const known = asks === 'at once' ? withApproval(actor) : actor;
  const { glass } = go.body;
  const passed = glass === undefined ? known : note(known, { glass });
  return goTo(
    { ...passed, trail },
    {
      kind: 'apply',
      ...{ applying, permission: { hostId, go }, isElsewhere: asks === 'elsewhere' },
    },
  );
}

export function failPermission(
  actor: DeploymentActor,
  step: PermissionStep,
  failure: EffectFailure,
  now: number,
): DeploymentActor {
  const { kind, why, closed } = failure;
  const { asks, applying, audits } = step;
  const { job } = applying;
  if (isToWaitOn(actor, failure)) return waitOn(actor, step, now);
  if (isPlanTooOld(failure) && asks !== 'reviewed') return replaceOldPlan(actor, step, why, now);
  if (closed !== undefined) {
    // The job of another host is open: nothing began in it, and the gate is asked again without it.
    if (asks === 'elsewhere') return close(actor, applying, { kind: 'not-begun' }, now);
    return waitAtGate(asks === 'at once' ? withApproval(actor) : actor, step, closed, now);
  }
  switch (asks) {
    case 'at once':
      return { ...actor, step: { kind: 'verify-approval', applying, audits } };
    case 'patiently': {
      // The audit trail may have the start, so it also gets an end for the apply that never began.
      const ended = audit(actor, closeJob(job, now), 'FAILURE');
      return goTo(advanceTo(ended, 'cancelled', now, { reason: withoutPermission(why) }), { kind: 'end' });
    }
    case 'reviewed':
      // A refusal comes before the audit trail hears of the start; any other failure may have come later.
      return planAnew(kind === 'refused' ? actor : audit(actor, closeJob(job, now), 'FAILURE'), why, now);
    case 'elsewhere':
      return kind === 'refused'
        ? close(actor, applying, { kind: 'no permission', why }, now)
        : replaceHost(actor, applying, `there is no permission to apply: ${why}`, now);
  }
}

/** An outage says nothing about the gate at which the deployment waits, and the rejection of a person goes before a refusal. */
function isToWaitOn(actor: DeploymentActor, { kind, closed }: EffectFailure): boolean {
  if (actor.progress.status !== 'blocked' || closed !== undefined) return false;
  return kind !== 'refused' || mayBeRejected(actor);
}

/** Its approval is signed: control looked at that first. The audit trail has both, the approval and an apply that never began. */
function replaceOldPlan(
  actor: DeploymentActor,
  { asks, applying: { job }, audits }: PermissionStep,
  why: string,
  now: number,
): DeploymentActor {
  const known = asks === 'at once' ? withAudits(withApproval(actor), audits) : actor;
  return planBecause(audit(known, closeJob(job, now), 'FAILURE'), `Planned again: ${why}`, now);
}

/** The approval is signed, so it is worth asking for permission patiently. */
export function verified(actor: DeploymentActor, applying: Applying, audits: readonly AuditEvent[]): DeploymentActor {
  const asking = askPatiently(withAudits(withApproval(actor), audits), applying);
  return { ...asking, step: { kind: 'permission', asks: 'patiently', applying, audits: [], isSecond: true } };
}

/**
 * Without a signed approval, the plan still waits for one. While nobody can say whether the approval is signed, the answer to a
 * request that told the start of the job may have been lost.
 */
export function failVerification(actor: DeploymentActor, { plan, job }: Applying, failure: EffectFailure, now: number) {
  if (isForged(failure)) return goTo(actor, { kind: 'review', plan });
  const said = notify(actor, { sentence: OWN_NOTICES.confirmUnchecked }, now);
  return goTo(writeAudits(audit(said, closeJob(job, now), 'FAILURE')), { kind: 'review', plan });
}

/** Intake signed the approval. */
function withApproval(actor: DeploymentActor): DeploymentActor {
  const { reviewing } = actor;
  const { answer, approval, known } = reviewing;
  if (answer === undefined || approval === undefined) return actor;
  const ids = [...new Set([...known, requestIdOf(approval)])];
  return { ...note(actor, { review: answer }), reviewing: { ...closedReview(reviewing), known: ids } };
}

/** The events of an approved apply, which are true once the approval is verified. */
function eventsOfApproved(actor: DeploymentActor, job: Job): readonly AuditEvent[] {
  const { answer, approval } = actor.reviewing;
  if (answer === undefined || approval === undefined) return [];
  const deployment = deploymentOf(actor);
  const approved: Deployment = { ...deployment, progress: { ...deployment.progress, review: answer } };
  return [reviewAuditEvent(actor.input.repository, deployment, approval.body), startOf(actor, approved, job)];
}

function startOf({ input }: DeploymentActor, deployment: Deployment, job: Job): AuditEvent {
  return auditEvent(input.repository, deployment, job, 'RUNNING');
}
