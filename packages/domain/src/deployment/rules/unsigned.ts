/** Ends that say what a host did, and that no host signed. */
import type { Progress } from '../progress.ts';
import type { DeploymentStatus } from '../status.ts';
import { advance } from './progress.ts';

const OUTCOMES_OF_HOSTS: readonly DeploymentStatus[] = ['succeeded', 'no-changes', 'apply-failed', 'planned'];

/** Whether the end says what a host did. */
export function isOutcomeOfHost({ status }: Progress): boolean {
  return OUTCOMES_OF_HOSTS.includes(status);
}

/** The end without what it says of the apply: nobody knows how that ended. `at` is in ISO 8601. */
export function withUnknownOutcome(progress: Progress, at: string): Progress {
  const { proof: _forged, applied: _claimed, failure: _too, ...kept } = progress;
  const reason =
    'No host of this installation signed the answer about the apply. Terraform may have changed resources: look at the state before you go on.';
  return advance(kept, 'apply-outcome-unknown', at, reason);
}
