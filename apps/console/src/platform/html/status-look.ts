/** How a deployment's status is shown to a person: as a headline with a mood. */
import type { DeploymentStatus } from '@nereid/domain/deployment';

export interface StatusLook {
  readonly headline: string;
  readonly mood: 'waiting' | 'working' | 'good' | 'bad' | 'neutral';
}

export const STATUS_LOOK: Readonly<Record<DeploymentStatus, StatusLook>> = {
  queued: { headline: 'Queued', mood: 'waiting' },
  blocked: { headline: 'Blocked', mood: 'waiting' },
  preparing: { headline: 'Preparing', mood: 'working' },
  planning: { headline: 'Planning', mood: 'working' },
  'awaiting-review': { headline: 'Waiting for a review', mood: 'waiting' },
  applying: { headline: 'Applying', mood: 'working' },
  succeeded: { headline: 'Applied', mood: 'good' },
  'no-changes': { headline: 'No changes', mood: 'good' },
  planned: { headline: 'Planned', mood: 'good' },
  'plan-failed': { headline: 'Plan failed', mood: 'bad' },
  rejected: { headline: 'Rejected', mood: 'neutral' },
  expired: { headline: 'Expired: nobody reviewed the plan', mood: 'neutral' },
  'apply-failed': { headline: 'Apply failed', mood: 'bad' },
  'apply-outcome-unknown': { headline: 'Apply interrupted: outcome unknown', mood: 'bad' },
  cancelled: { headline: 'Cancelled', mood: 'neutral' },
  skipped: { headline: 'Skipped', mood: 'neutral' },
  refused: { headline: 'Refused', mood: 'bad' },
  'host-lost': { headline: 'Host lost', mood: 'bad' },
};
