/**
 * The rollout workflow: shows how all roots of one revision are doing, on the check run `nereid/rollout`.
 *
 * It holds nothing: one activity reads storage, and is tried again until all roots have ended, which costs no event of history. So
 * nothing that somebody sends can change what it shows.
 */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RolloutActivities, RolloutInput } from '@nereid/domain/rollout';
import { MESSAGE } from '@nereid/domain/temporal-names';

/**
 * An attempt says itself when the next one is worth while; the pauses here are for those that have failed. Nothing is shown for longer
 * than a month after the last order, which may come late: then the activity begins again.
 */
const { showRollout } = proxyActivities<RolloutActivities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '40d',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const look = defineSignal(MESSAGE.look);

/** Returns a sentence about the end, for the Temporal UI. */
export async function rollout(input: RolloutInput): Promise<string> {
  let news = 0;
  setHandler(look, () => {
    news += 1;
  });
  const isLong = () => workflowInfo().continueAsNewSuggested;
  const becomesLong = condition(isLong);
  for (;;) {
    const known = news;
    const shown = showRollout(input.repository, input.sha).catch(undefinedIfLate);
    const sentence = await Promise.race([shown, becomesLong]);
    // Only needless messages make a history long.
    if (sentence === undefined || isLong()) return continueAsNew<typeof rollout>(input);
    // Roots that are deployed again while the last ones end are shown, too.
    if (news === known) return sentence;
  }
}

function undefinedIfLate(error: unknown): undefined {
  if (error instanceof ActivityFailure && error.retryState === 'TIMEOUT') return undefined;
  throw error;
}
