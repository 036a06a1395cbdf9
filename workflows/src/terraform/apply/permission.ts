/** Permission for one host to apply: control gives it, once it knows that a person approved the plan and the audit trail has it. */
import { CancellationScope } from '@temporalio/workflow';
import {
  defined,
  auditEvent,
  OWN_NOTICES,
  reviewAuditEvent,
  type AuditEvent,
  type Deployment,
  type Go,
  type Job,
  type PlanReview,
  type Review,
  type Signed,
} from '@nereid/contracts';
import { timestamp } from '../../timestamp.ts';
import { begin, isRefusedForGood, isSigned, whyUnwritten, type Insistence } from '../activities.ts';
import { advance } from '../progress.ts';
import { advanceTo, closeJob, deploymentOf, note, notify, type Run } from '../run.ts';
import { audit, writeAudits } from './audit.ts';

export interface Permission {
  readonly hostId: string;
  readonly go: Signed<Go>;
}

export type NoPermission =
  | { readonly kind: 'ended' }
  /** Nobody signed the approval, so the plan still waits for one. */
  | { readonly kind: 'not approved' }
  /** What was reviewed before the merge is not what would be applied. */
  | { readonly kind: 'plan again'; readonly why: string };

/** Permission for the host that planned. Whoever gives it verifies the approval, too: in most cases, one activity does both. */
export async function obtainPermissionToApply(run: Run, job: Job): Promise<Permission | NoPermission> {
  const { approval, durations } = run;
  if (run.progress.plan?.beforeMerge) return obtainPermissionForReviewed(run, job);
  const answer = run.gate?.answer;
  if (answer === undefined || approval === undefined) {
    audit(run, job, 'RUNNING');
    return obtainPermissionPatiently(run, job);
  }
  const audits = eventsOfStart(run, job, approval, answer);
  const permission = await obtainPermission(run, job, { audits, withinMs: durations.promptMs, attempts: 1 }).catch(
    () => undefined,
  );
  if (permission === undefined && !(await isCertainlySigned(run, job, approval))) return { kind: 'not approved' };
  run.gate = undefined;
  run.reviews.add(approval.requestId);
  note(run, { ...run.progress, review: answer });
  if (permission !== undefined) return permission;
  run.audits.push(...audits);
  return obtainPermissionPatiently(run, job);
}

interface Asked extends Partial<Insistence> {
  /** Events for the audit trail, besides those that wait for the next write. */
  readonly audits?: readonly AuditEvent[];
}

/** For the host that was claimed last. */
export async function obtainPermission(
  run: Run,
  job: Job,
  { audits = [], withinMs = run.durations.auditMs, attempts = 10 }: Asked = {},
): Promise<Permission> {
  const { input, approval: review } = run;
  const { claim } = run;
  const hostId = claim?.body.hostId ?? '';
  const about = { repository: input.repository, deployment: deploymentOf(run), ...(review && { review }) };
  const host = { hostId, ...defined({ claim }) };
  const go = await begin({ ...about, job, ...host, audits: [...run.audits, ...audits] }, { withinMs, attempts });
  run.audits.length = 0;
  return { hostId, go };
}

/**
 * Nothing is applied that the audit trail does not know of. If the write fails, the audit trail may still have the start, so
 * it also gets an end for the apply that never began.
 */
async function obtainPermissionPatiently(run: Run, job: Job): Promise<Permission | NoPermission> {
  note(run, {
    ...run.progress,
    reason: 'Waiting for permission to apply: storage and the audit trail hear of it first',
  });
  try {
    return await obtainPermission(run, job);
  } catch (error) {
    const reason = withoutPermission(whyUnwritten(error));
    audit(run, closeJob(job), 'FAILURE');
    advanceTo(run, advance(run.progress, 'cancelled', timestamp(), { reason }));
    return { kind: 'ended' };
  }
}

/** For a plan that was reviewed before the merge. Without permission nothing is lost: it is planned, and a person is asked. */
async function obtainPermissionForReviewed(run: Run, job: Job): Promise<Permission | NoPermission> {
  const start = auditEvent(run.input.repository, deploymentOf(run), job, 'RUNNING');
  try {
    return await obtainPermission(run, job, { audits: [start] });
  } catch (error) {
    // A refusal comes before the audit trail hears of the start; any other failure may have come later.
    if (!isRefusedForGood(error)) audit(run, closeJob(job), 'FAILURE');
    return { kind: 'plan again', why: whyUnwritten(error) };
  }
}

/** The reason for an end without an apply. */
export function withoutPermission(why: string): string {
  return `There was no permission to apply, so nothing was applied: ${why}`;
}

/** The events of an approved apply, which are true once the approval is verified. */
function eventsOfStart(run: Run, job: Job, approval: PlanReview, review: Review): readonly AuditEvent[] {
  const { repository } = run.input;
  const deployment = deploymentOf(run);
  const approved: Deployment = { ...deployment, progress: { ...deployment.progress, review } };
  return [reviewAuditEvent(repository, deployment, approval), auditEvent(repository, approved, job, 'RUNNING')];
}

/**
 * Permission may be asked for after a cancellation, and the audit trail has to hear of the approval all the same. While nobody can say
 * whether the approval is signed, the answer may have been lost of a request that told the start of the job.
 */
async function isCertainlySigned(run: Run, job: Job, approval: PlanReview): Promise<boolean> {
  try {
    return await CancellationScope.nonCancellable(() => isSigned(approval));
  } catch {
    notify(run, OWN_NOTICES.confirmUnchecked);
    audit(run, closeJob(job), 'FAILURE');
    writeAudits(run);
    return false;
  }
}
