/** The late-outcome workflow: shows what became of an apply that had been given up. */
import { proxyActivities } from '@temporalio/workflow';
import type { LateOutcome, LateOutcomeActivities } from '@nereid/contracts';

/** After an hour, the next round of the host's janitor starts it again. */
const { showLateOutcome } = proxyActivities<LateOutcomeActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Returns a sentence that says what was shown, or why nothing was. */
export async function lateOutcome(outcome: LateOutcome): Promise<string> {
  return showLateOutcome(outcome);
}
