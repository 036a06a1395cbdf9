/**
 * Applies exactly the plan that was shown, once.
 *
 * The host that planned is tried first; any other host restores the kept plan. An apply that never began may begin
 * elsewhere. An apply that began never begins again: if its worker is lost, its host is asked for the outcome.
 */
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { auditStateOf, type ApplyJob, type ApplyOutcome, type Job, type Plan } from '@nereid/contracts';
import { withoutMentions } from '@nereid/lane';
import { timestamp } from '../../timestamp.ts';
import { applyingOn, causeOf, didNotStart, hasLeft, isRefusedForGood, whyUnwritten } from '../activities.ts';
import { claimHost } from '../claim.ts';
import { createPatience } from '../patience.ts';
import { advance, endOfApply, planAgain, withoutReason, type EndOfApply } from '../progress.ts';
import {
  advanceTo,
  closeJob,
  hostJob,
  delegateCleanUp,
  note,
  openJob,
  showState,
  whyCancelled,
  type Run,
} from '../run.ts';
import { audit, writeAudits } from './audit.ts';
import { inspect } from './inspect.ts';
import {
  obtainPermission,
  obtainPermissionToApply,
  withoutPermission,
  type Permission,
  type NoPermission,
} from './permission.ts';

export type Applied = NoPermission;

type Outcome = ApplyOutcome | PermissionRefused | 'cancelled';

/** If the worker is lost each time between its claim and the apply, the apply is the cause. */
const JOBS_TRIED = 3;

export async function apply(run: Run, plan: Plan): Promise<Applied> {
  for (let jobs = 1; ; jobs += 1) {
    const job = openJob(run, 'apply');
    const permission = await obtainPermissionToApply(run, job);
    if ('kind' in permission) return permission;
    advanceTo(run, advance(run.progress, 'applying', timestamp(), { jobs: { ...run.progress.jobs, apply: job } }));
    showState(run);

    const outcome = await unlessCancelled(applySomewhere(run, job, permission));
    const isCancelled = CancellationScope.current().consideredCancelled;
    close(run, { job, plan, outcome, isCancelled });
    if (outcome === 'cancelled' || !isNotApplied(outcome)) return { kind: 'ended' };
    // An approved apply that did not begin may begin in a new job.
    if (outcome.kind === 'plan-unusable' || jobs === JOBS_TRIED) return again(run, outcome);
  }
}

interface Closing {
  readonly job: Job;
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly isCancelled: boolean;
}

/** Takes the outcome of the apply. It is shown at once, and goes to the audit trail with the next write. */
function close(run: Run, { job, plan, outcome, isCancelled }: Closing): void {
  const closed = closeJob(job);
  const end = outcome === 'cancelled' ? cancelled(whyCancelled(run)) : endOf(outcome, plan);
  note(run, { ...run.progress, jobs: { ...run.progress.jobs, apply: closed } });
  audit(run, closed, auditStateOf(end?.status ?? 'apply-failed'));
  if (end === undefined) return;
  const isStopped = isCancelled && (end.status === 'apply-failed' || end.status === 'apply-outcome-unknown');
  const reasons = [...(isStopped ? [whyCancelled(run)] : []), ...('reason' in end.more ? [end.more.reason] : [])];
  const reason = reasons.length === 0 ? {} : { reason: reasons.join('. ') };
  advanceTo(run, advance(run.progress, end.status, timestamp(), { ...end.more, ...reason }));
}

type NotApplied = Extract<ApplyOutcome, { readonly kind: 'plan-unusable' | 'not-begun' }>;

function isNotApplied(outcome: ApplyOutcome | PermissionRefused): outcome is NotApplied {
  return outcome.kind === 'plan-unusable' || outcome.kind === 'not-begun';
}

function again(run: Run, outcome: NotApplied): Applied {
  const why = whyOf(outcome);
  writeAudits(run);
  run.approval = undefined;
  advanceTo(run, planAgain(run.progress, timestamp(), why));
  return { kind: 'plan again', why };
}

function endOf(outcome: ApplyOutcome | PermissionRefused, plan: Plan): EndOfApply | undefined {
  return outcome.kind === 'no permission' ? cancelled(withoutPermission(outcome.why)) : endOfApply(outcome, plan);
}

function cancelled(reason: string): EndOfApply {
  return { status: 'cancelled', more: { reason } };
}

/** An apply that began returns its outcome, even if it was cancelled. So a cancellation error means that none began. */
async function unlessCancelled(outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (error) {
    if (isCancellation(error)) return 'cancelled';
    throw error;
  }
}

async function applySomewhere(run: Run, job: Job, permission: Permission): Promise<ApplyOutcome | PermissionRefused> {
  const patience = createPatience(run);
  const { sameHostMs, hostScheduleToStartMs } = run.durations;
  const hostId = run.claim?.body.hostId;
  let tried: ApplyOutcome | PermissionRefused | NotStarted =
    hostId === undefined || (await isGone(run, hostId))
      ? { kind: 'did not start', why: 'the host that planned is not there any more' }
      : await applyOn(run, permission, sameHostMs, job);
  while (tried.kind === 'did not start') {
    const goesOn = await patience.pause(`Another host is asked to apply: ${tried.why}`);
    if (!goesOn) return { kind: 'plan-unusable', why: `no host could begin the apply: ${tried.why}` };
    await claimHost(run, 'apply');
    tried = await applyElsewhere(run, hostScheduleToStartMs, job);
  }
  return tried;
}

/** Whether the host that planned has left: people take their time at a gate, and hosts come and go. */
async function isGone({ progress, durations }: Run, hostId: string): Promise<boolean> {
  const plannedAt = progress.times['awaiting-review'];
  if (plannedAt === undefined || Date.now() - Date.parse(plannedAt) <= durations.hostKnownMs) return false;
  return hasLeft(hostId);
}

/** Nothing was applied, and nothing will be: control refuses permission for good. */
interface PermissionRefused {
  readonly kind: 'no permission';
  readonly why: string;
}

/** Nothing was applied, and another host may try. */
interface NotStarted {
  readonly kind: 'did not start';
  readonly why: string;
}

async function applyElsewhere(
  run: Run,
  scheduleToStartMs: number,
  job: Job,
): Promise<ApplyOutcome | PermissionRefused | NotStarted> {
  const permission = await obtainPermission(run, job).catch(whyNoPermission);
  return 'kind' in permission ? permission : applyOn(run, permission, scheduleToStartMs, job);
}

function whyNoPermission(error: unknown): PermissionRefused | NotStarted {
  const why = whyUnwritten(error);
  if (isRefusedForGood(error)) return { kind: 'no permission', why };
  return { kind: 'did not start', why: `there is no permission to apply: ${why}` };
}

async function applyOn(
  run: Run,
  { hostId, go }: Permission,
  scheduleToStartMs: number,
  job: Job,
): Promise<ApplyOutcome | NotStarted> {
  note(run, { ...withoutReason(run.progress), hostId });
  const { approval: review } = run;
  const applyJob = { ...hostJob(run, job), go, ...(review && { review }) };
  try {
    const outcome = await applyingOn(hostId, scheduleToStartMs, run.durations).applyOnHost(applyJob);
    return delegateWhenEnded(run, hostId, outcome);
  } catch (error) {
    if (didNotStart(error)) return { kind: 'did not start', why: causeOf(error) };
    if (isCancellation(error)) throw error;
    return await inspectOn(run, hostId, applyJob, causeOf(error));
  }
}

/** The worker was lost. A person who had cancelled before waits for the true outcome all the same. */
async function inspectOn(run: Run, hostId: string, job: ApplyJob, lost: string): Promise<ApplyOutcome> {
  const asked = () => inspect(run, hostId, job, lost);
  const isCancelled = CancellationScope.current().consideredCancelled;
  return delegateWhenEnded(run, hostId, await (isCancelled ? CancellationScope.nonCancellable(asked) : asked()));
}

function delegateWhenEnded(run: Run, hostId: string, outcome: ApplyOutcome): ApplyOutcome {
  if (outcome.kind === 'applied' || outcome.kind === 'failed') delegateCleanUp(run, hostId);
  return outcome;
}

function whyOf(outcome: NotApplied): string {
  if (outcome.kind === 'plan-unusable') return `Planned again: ${withoutMentions(outcome.why)}`;
  return `Planned again: the worker was lost ${JOBS_TRIED} times before the apply began`;
}
