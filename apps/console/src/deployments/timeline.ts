/** The story of a deployment in four steps: queued, planned, reviewed, applied. A pure function of its progress. */
import { defined } from '@nereid/domain/defined';
import {
  hasEnded,
  type DeploymentStatus,
  type Progress,
  appliedCounts,
  planCounts,
  warningCount,
} from '@nereid/domain/deployment';
import type { DeploymentView, ShownDeployment } from './deployment-view.ts';

export interface Step {
  readonly title: string;
  readonly state: 'done' | 'current' | 'failed' | 'to-come' | 'left-out';
  /** ISO 8601; when it was done or, while it is current, when it began. */
  readonly at?: string;
  /** A sentence; may contain untrusted names. */
  readonly detail?: string;
}

export function timelineOf({
  progress,
  deployment,
  confirmedBy,
}: Pick<DeploymentView, 'progress' | 'deployment' | 'confirmedBy'>): readonly Step[] {
  return [queued(progress, deployment), planned(progress), reviewed(progress, confirmedBy), applied(progress)];
}

function queued(progress: Progress, { requestedBy, rerun, receivedAt }: ShownDeployment): Step {
  const detail = `Asked for by ${requestedBy}${rerun ? ' as a re-run' : ''}`;
  return step('Queued', isWaiting(progress) ? 'current' : 'done', receivedAt, detail);
}

function planned(progress: Progress): Step {
  const { status, times, plan, hostId } = progress;
  if (plan) {
    const detail = `${plan.made.body.hasChanges ? planCounts(plan.made.body.summary) : 'No changes'}${warningCount(plan)}`;
    return step(
      'Planned',
      'done',
      times['awaiting-review'] ?? times['no-changes'] ?? times.blocked ?? times.applying,
      detail,
    );
  }
  if (isWaiting(progress)) return step('Plan', 'to-come');
  if (!hasEnded(status))
    return step('Planning', 'current', times.planning ?? times.preparing, hostId && `On host ${hostId}`);
  if (FAILED.has(status)) return step('Plan failed', 'failed', times[status]);
  return step('Plan', 'left-out', times[status]);
}

function reviewed({ status, times, plan, review, approvals = [] }: Progress, rules: string | undefined): Step {
  if (review) {
    const isApproved = review.answer === 'approved';
    return step(
      isApproved ? `Confirmed by ${review.by}` : `Rejected by ${review.by}`,
      isApproved ? 'done' : 'failed',
      review.at,
      peopleOf(approvals),
    );
  }
  if (status === 'awaiting-review')
    return step('Waiting for a review', 'current', times['awaiting-review'], peopleOf(approvals));
  if (status === 'expired') return step('Nobody reviewed', 'failed', times.expired);
  if (rules !== undefined) return step('Confirmed by a rule', 'done', undefined, rules);
  if (plan && !plan.reviewRequired) return step('Review', 'left-out', undefined, 'Not required');
  return step('Review', hasEnded(status) ? 'left-out' : 'to-come');
}

/** Of a plan that several people have to confirm. */
function peopleOf(approvals: NonNullable<Progress['approvals']>): string | undefined {
  return approvals.length === 0 ? undefined : `Confirmed by ${approvals.map(({ body }) => body.by).join(', ')}`;
}

function applied({ status, times, applied: counts, plan }: Progress): Step {
  switch (status) {
    case 'applying':
      return step('Applying', 'current', times.applying);
    case 'succeeded':
      return step('Applied', 'done', times.succeeded, counts && appliedCounts(counts, plan?.made.body));
    case 'apply-failed':
      return step('Apply failed', 'failed', times['apply-failed']);
    case 'apply-outcome-unknown':
      return step(
        'Apply interrupted',
        'failed',
        times['apply-outcome-unknown'],
        'Nobody can tell how much of it happened',
      );
    case 'no-changes':
      return step('Apply', 'left-out', undefined, 'Nothing had to be applied');
    case 'planned':
      return step('Apply', 'left-out', undefined, 'A preview applies nothing');
    case 'blocked':
      return plan ? step('Apply waits', 'current', times.blocked) : step('Apply', 'to-come');
    case 'queued':
    case 'preparing':
    case 'planning':
    case 'awaiting-review':
      return step('Apply', 'to-come');
    case 'plan-failed':
    case 'rejected':
    case 'expired':
    case 'cancelled':
    case 'skipped':
    case 'refused':
    case 'host-lost':
      return step('Apply', 'left-out', undefined, 'Nothing was applied');
  }
}

const FAILED: ReadonlySet<DeploymentStatus> = new Set(['plan-failed', 'host-lost', 'refused']);

/** Before its plan. */
function isWaiting({ status, plan }: Progress): boolean {
  return status === 'queued' || (status === 'blocked' && plan === undefined);
}

function step(title: string, state: Step['state'], at?: string, detail?: string): Step {
  return { title, state, ...defined({ at, detail }) };
}
