export const UNDER_WAY_STATUSES = [
  'queued',
  'blocked',
  'preparing',
  'planning',
  'awaiting-review',
  'applying',
] as const;

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

/** In the order in which a deployment has them. */
export const DEPLOYMENT_STATUSES = [...UNDER_WAY_STATUSES, ...ENDED_STATUSES] as const;

export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export function hasEnded(status: DeploymentStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly string[]).includes(status);
}
