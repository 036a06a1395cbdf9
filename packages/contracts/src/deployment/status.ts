export const ENDED_STATUSES = [
  'succeeded',
  'no-changes',
  'planned',
  'plan-failed',
  'rejected',
  'expired',
  'apply-failed',
  'apply-outcome-unknown',
  'cancelled',
  'skipped',
  'refused',
  'host-lost',
] as const;

export type EndedStatus = (typeof ENDED_STATUSES)[number];

export type DeploymentStatus =
  'queued' | 'blocked' | 'preparing' | 'planning' | 'awaiting-review' | 'applying' | EndedStatus;

export function hasEnded(status: DeploymentStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly string[]).includes(status);
}
