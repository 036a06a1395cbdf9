/** How far a deployment is, in a line. Pure. */
import type { DeploymentDetail } from '@nereid/api';
import { appliedCounts, queueLine, UNDER_WAY_STATUSES, type DeploymentStatus } from '@nereid/domain/deployment';
import { planText } from './plan.ts';

/** Also when a newer console names a status that this release does not know: nobody waits for its end. */
export function hasEnded(status: DeploymentStatus): boolean {
  return !(UNDER_WAY_STATUSES as readonly string[]).includes(status);
}

/** Without the status itself; empty when there is nothing to say. */
export function progressText({ progress, ahead, lock }: Pick<DeploymentDetail, 'progress' | 'ahead' | 'lock'>): string {
  const { status, reason, plan, hostId, review, applied, failure } = progress;
  switch (status) {
    case 'queued':
      return queueLine({ reason, ahead, lock: lock?.sentence });
    case 'preparing':
    case 'planning':
      return reason ?? (hostId === undefined ? '' : `on ${hostId}`);
    case 'awaiting-review':
      return plan ? planText(plan) : '';
    case 'applying':
      return review ? `confirmed by @${review.by}` : '';
    case 'succeeded':
      return applied ? appliedCounts(applied, plan) : '';
    case 'rejected':
      return review ? `by @${review.by}` : '';
    case 'no-changes':
    case 'planned':
      return plan ? planText(plan) : '';
    case 'blocked':
    case 'plan-failed':
    case 'expired':
    case 'apply-failed':
    case 'apply-outcome-unknown':
    case 'cancelled':
    case 'skipped':
    case 'refused':
    case 'host-lost':
      return failure?.summary ?? reason ?? '';
  }
}

/** Why another plan than the one that was confirmed waits, or why what was confirmed has not begun. */
export function reviewReason({ status, reason }: DeploymentDetail['progress']): string | undefined {
  return status === 'awaiting-review' ? reason : undefined;
}
