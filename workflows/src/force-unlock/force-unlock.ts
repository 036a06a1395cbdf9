/** The force-unlock workflow: has a host free a lock of a state, as a person commanded, and answers the comment. */
import { proxyActivities } from '@temporalio/workflow';
import type { ForceUnlockActivities, ForceUnlockOrder } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { onSomeHost } from '../on-some-host.ts';

/** The forge and the audit trail may be away for a while. */
const { answerForceUnlock } = proxyActivities<ForceUnlockActivities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '1d',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'tell the person and the audit trail',
});

/** Somebody waits, as for an apply. */
const HOW = { job: 'apply', claimSummary: 'a slot to free a lock', workSummary: 'prepare, free the lock' } as const;

/** Returns a sentence that says what came of it. A lock has its id for itself: however often it is tried, only this one is freed. */
export async function forceUnlock(order: Signed<ForceUnlockOrder>): Promise<string> {
  const outcome = await onSomeHost(order, HOW, (host) => host.forceUnlockOnHost(order));
  return answerForceUnlock(order, outcome === 'no slot' ? 'unheard' : outcome);
}
