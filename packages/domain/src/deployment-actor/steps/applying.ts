/**
 * Applies exactly the plan that was shown, once.
 *
 * The host that planned is tried first; any other host restores the kept plan. An apply that never began may begin elsewhere. An
 * apply that began never begins again: if its worker is lost, its host is asked for the outcome.
 */
import type { ApplyOutcome } from '../../deployment/job/apply-outcome.ts';
import type { ApplyJob } from '../../deployment/job/host-job.ts';
import { auditStateOf } from '../../trail/job-audit.ts';
import { withoutMentions } from '../../deployment/rules/without-mentions.ts';
import { closeJob, whyCancelled, type DeploymentActor } from '../actor.ts';
import { advanceTo, audit, delegateCleanUp, goTo, hostJobOf, note, pause, withPatience } from '../changes.ts';
import { didNotStart, type EffectFailure } from '../events.ts';
import { endOfApply, withoutReason, type EndOfApply } from '../progress.ts';
import type { Applying, Permission } from '../step.ts';
import { planAnew } from './plan-anew.ts';

/** Nothing was applied, and nothing will be: control refuses permission for good, or it was cancelled before anything began. */
type NeverBegun = { readonly kind: 'no permission'; readonly why: string } | { readonly kind: 'cancelled' };

/** If the worker is lost each time between its claim and the apply, the apply is the cause. */
const JOBS_TRIED = 3;

export function beginApplying(
  actor: DeploymentActor,
  applying: Applying,
  permission: Permission,
  now: number,
): DeploymentActor {
  const { progress } = actor;
  const begun = advanceTo(actor, 'applying', now, { jobs: { ...progress.jobs, apply: applying.job } });
  const patient = withPatience(begun, now);
  if (patient.hosts.claim === undefined) return hostFound(patient, applying, permission, false, now);
  if (mayHaveLeft(patient, now)) return { ...patient, step: { kind: 'find-host', applying, permission } };
  return hostFound(patient, applying, permission, true, now);
}

/** People take their time for a review, gates are closed for days, and hosts come and go. */
function mayHaveLeft({ progress, durations }: DeploymentActor, now: number): boolean {
  const plannedAt = progress.times['awaiting-review'] ?? progress.times.blocked;
  return plannedAt !== undefined && now - Date.parse(plannedAt) > durations.hostKnownMs;
}

export function hostFound(
  actor: DeploymentActor,
  applying: Applying,
  permission: Permission,
  isThere: boolean,
  now: number,
): DeploymentActor {
  return isThere
    ? applyOn(actor, applying, permission, actor.durations.sameHostMs)
    : replaceHost(actor, applying, 'the host that made the plan is gone', now);
}

export function applyOn(
  actor: DeploymentActor,
  applying: Applying,
  permission: Permission,
  beginMs: number,
): DeploymentActor {
  const { hostId } = permission;
  const there = { ...actor, progress: { ...withoutReason(actor.progress), hostId } };
  return { ...there, step: { kind: 'apply', applying, permission, beginMs } };
}

export function applyJobOf(actor: DeploymentActor, { job }: Applying, { go }: Permission): ApplyJob {
  const { approval } = actor.reviewing;
  return { ...hostJobOf(actor, job.id), go, ...(approval && { review: approval }) };
}

/** Nothing began, so another host may try. */
export function replaceHost(actor: DeploymentActor, applying: Applying, why: string, now: number): DeploymentActor {
  const again = pause(
    actor,
    `Another host is asked to apply: ${why}`,
    { kind: 'claim', for: { kind: 'another host', applying } },
    now,
  );
  return again ?? close(actor, applying, { kind: 'plan-unusable', why: `no host could begin the apply: ${why}` }, now);
}

export function failApply(
  actor: DeploymentActor,
  applying: Applying,
  job: ApplyJob,
  failure: EffectFailure,
  now: number,
): DeploymentActor {
  if (didNotStart(failure)) return replaceHost(actor, applying, failure.why, now);
  return goTo(actor, { kind: 'inspection', applying, job, lost: failure.why });
}

/** The host that says how an apply ended cleans up. */
export function applied(
  actor: DeploymentActor,
  applying: Applying,
  hostId: string,
  outcome: ApplyOutcome,
  now: number,
): DeploymentActor {
  const isEnd = outcome.kind === 'applied' || outcome.kind === 'failed';
  return close(isEnd ? delegateCleanUp(actor, hostId) : actor, applying, outcome, now);
}

/** The outcome is shown at once, and goes to the audit trail with the next write. */
export function close(
  actor: DeploymentActor,
  { plan, job }: Applying,
  outcome: ApplyOutcome | NeverBegun,
  now: number,
): DeploymentActor {
  const closed = closeJob(job, now);
  const end = endOf(actor, outcome, plan.made.body.hasChanges);
  const noted = note(actor, { jobs: { ...actor.progress.jobs, apply: closed } });
  const audited = audit(noted, closed, auditStateOf(end?.status ?? 'apply-failed'));
  if (end !== undefined) {
    const reason = reasonOf(actor, end);
    const more = { ...end.more, ...(reason !== '' && { reason }) };
    return goTo(advanceTo(audited, end.status, now, more), { kind: 'end' });
  }
  if (outcome.kind === 'plan-unusable') return planAnew(audited, `Planned again: ${withoutMentions(outcome.why)}`, now);
  // An approved apply that did not begin may begin in a new job.
  if (actor.attempts.applies < JOBS_TRIED) return goTo(audited, { kind: 'permission', plan });
  return planAnew(audited, `Planned again: the worker was lost ${JOBS_TRIED} times before the apply began`, now);
}

function endOf(
  actor: DeploymentActor,
  outcome: ApplyOutcome | NeverBegun,
  hasChanges: boolean,
): EndOfApply | undefined {
  switch (outcome.kind) {
    case 'cancelled':
      return { status: 'cancelled', more: { reason: whyCancelled(actor) } };
    case 'no permission':
      return { status: 'cancelled', more: { reason: withoutPermission(outcome.why) } };
    default:
      return endOfApply(outcome, { hasChanges });
  }
}

function reasonOf(actor: DeploymentActor, { status, more }: EndOfApply): string {
  const isStopped = actor.isCancelled && (status === 'apply-failed' || status === 'apply-outcome-unknown');
  const { reason } = more;
  return [...(isStopped ? [whyCancelled(actor)] : []), ...(reason === undefined ? [] : [reason])].join('. ');
}

/** The reason for an end without an apply. */
export function withoutPermission(why: string): string {
  return `There was no permission to apply, so nothing was applied: ${why}`;
}
