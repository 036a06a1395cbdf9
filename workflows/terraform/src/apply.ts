/**
 * Applying: exactly the plan that was shown, once.
 *
 * The host that planned is tried first; another one restores the kept plan. What never began may begin elsewhere; what
 * began and whose outcome is not known is never tried again.
 */
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { auditEvent, type ApplyOutcome, type EndedStatus, type Job, type Plan } from '@nereid/contracts';
import { applyingOn, causeOf, didNotStart, recordEnd, recordStart } from './activities.ts';
import { auditStateOf } from './audit.ts';
import { claimHost } from './claim.ts';
import { createPatience } from './patience.ts';
import { advance, endOfApply, planAgain, withoutReason } from './progress.ts';
import { closeJob, hostJob, leaveToHost, openJob, tell, timestamp, whyCancelled, type Run } from './run.ts';

export type Applied = { readonly kind: 'ended' } | { readonly kind: 'plan again'; readonly why: string };

export async function apply(run: Run, plan: Plan): Promise<Applied> {
  const job = openJob();
  if (!(await isAudited(run, job))) return { kind: 'ended' };
  run.progress = advance(run.progress, 'applying', timestamp(), { jobs: { ...run.progress.jobs, apply: job } });
  tell(run);

  const outcome = await unlessCancelled(applySomewhere(run, job, plan));
  return await CancellationScope.nonCancellable(() => conclude(run, job, plan, outcome));
}

/** What the apply came to is recorded whatever else was asked for meanwhile. */
async function conclude(run: Run, job: Job, plan: Plan, outcome: ApplyOutcome | 'cancelled'): Promise<Applied> {
  const closed = closeJob(job);
  const end = outcome === 'cancelled' ? cancelled(run) : endOfApply(outcome, plan);
  run.progress = { ...run.progress, jobs: { ...run.progress.jobs, apply: closed } };
  await recordEnd(auditEvent(run.input, run.progress, closed, auditStateOf(end?.status ?? 'apply-failed')));
  if (end !== undefined) {
    const isStopped = run.cancelledBy !== undefined && end.status === 'apply-failed';
    const why = isStopped ? { reason: whyCancelled(run) } : {};
    run.progress = advance(run.progress, end.status, timestamp(), { ...why, ...end.more });
    return { kind: 'ended' };
  }
  const why = whyOf(outcome);
  run.progress = planAgain(run.progress, timestamp(), why);
  tell(run);
  return { kind: 'plan again', why };
}

function cancelled(run: Run) {
  return { status: 'cancelled', more: { reason: whyCancelled(run) } } as const;
}

/** Nothing is applied that the audit trail does not know of. */
async function isAudited(run: Run, job: Job): Promise<boolean> {
  try {
    await recordStart(auditEvent(run.input, run.progress, job, 'RUNNING'), run.durations, (why) => {
      run.progress = { ...run.progress, reason: `Nothing is applied before the audit trail is written: ${why}` };
      tell(run);
    });
    return true;
  } catch (error) {
    const reason = `The audit trail could not be written, so nothing was applied: ${causeOf(error)}`;
    run.progress = advance(run.progress, 'cancelled' satisfies EndedStatus, timestamp(), { reason });
    return false;
  }
}

/** An apply that began answers with its outcome, also when it was cancelled; so a cancellation means that none began. */
async function unlessCancelled(outcome: Promise<ApplyOutcome>): Promise<ApplyOutcome | 'cancelled'> {
  try {
    return await outcome;
  } catch (error) {
    if (isCancellation(error)) return 'cancelled';
    throw error;
  }
}

async function applySomewhere(run: Run, job: Job, plan: Plan): Promise<ApplyOutcome> {
  const patience = createPatience(run);
  const { sameHostMs, hostScheduleToStartMs } = run.durations;
  let tried =
    run.hostId === undefined
      ? ({ kind: 'did not start', why: 'no host has the plan' } as const)
      : await applyOn(run, run.hostId, sameHostMs, job, plan);
  while (tried.kind === 'did not start') {
    const goesOn = await patience.pause(`The apply has not begun: ${tried.why}`);
    if (!goesOn) return { kind: 'plan-unusable', why: `no host could begin the apply: ${tried.why}` };
    tried = await applyOn(run, await claimHost(run), hostScheduleToStartMs, job, plan);
  }
  return tried;
}

/** Nothing was applied, and another host may try. */
interface NotStarted {
  readonly kind: 'did not start';
  readonly why: string;
}

async function applyOn(
  run: Run,
  hostId: string,
  scheduleToStartMs: number,
  job: Job,
  plan: Plan,
): Promise<ApplyOutcome | NotStarted> {
  run.progress = { ...withoutReason(run.progress), hostId };
  try {
    const applyJob = { ...hostJob(run, job), digest: plan.digest };
    const outcome = await applyingOn(hostId, scheduleToStartMs, run.durations).applyOnHost(applyJob);
    if (outcome.kind === 'applied' || outcome.kind === 'failed') leaveToHost(run, hostId);
    return outcome;
  } catch (error) {
    if (didNotStart(error)) return { kind: 'did not start', why: causeOf(error) };
    if (isCancellation(error)) throw error;
    return {
      kind: 'unknown',
      why: `The apply began on host ${hostId} and ${causeOf(error)}. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`,
    };
  }
}

function whyOf(outcome: ApplyOutcome | 'cancelled'): string {
  return outcome !== 'cancelled' && outcome.kind === 'plan-unusable'
    ? `Planned again: ${outcome.why}`
    : 'Planned again';
}
