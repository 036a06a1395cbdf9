import type { DeploymentStatus } from '../../deployment/status.ts';

/** Where a root of a rollout stands, the most urgent first. */
export const STANDS = ['review', 'failed', 'working', 'waiting', 'left', 'done'] as const;
export type Stand = (typeof STANDS)[number];

/** Of a deployment that no other one carries. */
export const STAND_OF: Readonly<Record<DeploymentStatus, Stand>> = {
  queued: 'waiting',
  blocked: 'waiting',
  preparing: 'working',
  planning: 'working',
  'awaiting-review': 'review',
  applying: 'working',
  succeeded: 'done',
  'no-changes': 'done',
  planned: 'done',
  skipped: 'left',
  rejected: 'left',
  expired: 'left',
  cancelled: 'left',
  refused: 'failed',
  'plan-failed': 'failed',
  'apply-failed': 'failed',
  'apply-outcome-unknown': 'failed',
  'host-lost': 'failed',
};
