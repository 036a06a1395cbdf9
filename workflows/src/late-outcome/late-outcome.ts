/** The late-outcome workflow: shows what became of an apply that had been given up. */
import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { LateOutcome, LateOutcomeActivities } from '@nereid/contracts';

/**
 * An attempt reads two records and asks a lane and GitHub, each of which has its own limit: two minutes at worst. After an
 * hour, the next round of the host's janitor starts the workflow again.
 */
const { showLateOutcome } = proxyActivities<LateOutcomeActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Returns a sentence that says what was shown, or why nothing was. */
export async function lateOutcome(outcome: LateOutcome): Promise<string> {
  const { version }: { readonly version: number } = outcome; // A newer host may already be running.
  if (version !== 1) {
    const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
    throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_LATE_OUTCOME');
  }
  return showLateOutcome(outcome);
}
