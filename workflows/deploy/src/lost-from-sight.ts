/** Deployments whose terraform workflow gives no result. */
import { hasEnded, type Deployment, type TerraformResult } from '@nereid/contracts';
import { timestamp } from './lane.ts';
import { advance } from './progress.ts';

/** The shortest time for which Temporal remembers the id of a closed workflow. */
const CLOSED_IDS_KEPT_MS = 24 * 60 * 60 * 1_000;

/** Nobody heard of its terraform workflow: starting that id once more is safe, because a closed one is not run again. */
export function mayNeverHaveStarted({ progress }: Deployment): boolean {
  // It is stored as preparing before Terraform hears of it: what is blocked never started, however long ago that was.
  if (progress.status === 'blocked') return true;
  const since = Date.parse(progress.times.preparing ?? '');
  return progress.status === 'preparing' && Date.now() - since < CLOSED_IDS_KEPT_MS;
}

/**
 * What a terraform workflow without a result comes to. Closed: before its apply nothing can have happened, after it nobody
 * knows. Forgotten by Temporal: nobody knows at all.
 */
export function lostFromSight({ progress }: Deployment, how: 'closed' | 'not-there'): TerraformResult {
  // It had told its end, and was cleaning up.
  if (hasEnded(progress.status)) return progress;
  if (how === 'closed' && progress.status !== 'applying') {
    return advance(progress, 'cancelled', timestamp(), 'The terraform workflow was ended before it applied anything.');
  }
  const sentence =
    how === 'closed'
      ? 'The terraform workflow was ended while it applied. Look at the state before you go on.'
      : 'Temporal does not know the terraform workflow any more, nor what it applied. Look at the state before you go on.';
  return advance(progress, 'apply-outcome-unknown', timestamp(), sentence);
}
