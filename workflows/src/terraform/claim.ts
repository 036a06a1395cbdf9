/** Claims a slot on a host. A wait that lasts is shown, with its reason. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { claims, whyNoHost, type ClaimedFor } from './activities.ts';
import { LONGEST_SHOWN_MS } from './durations.ts';
import { withoutReason } from './progress.ts';
import { note, type Run } from './run.ts';

/** One claim, however long it waits. The slot is on the host that answers. */
export async function claimHost(run: Run, job: ClaimedFor): Promise<string> {
  const { repository, deployment } = run.input;
  const since = Date.now();
  const showing = new CancellationScope();
  const shown = showing.run(() => showWait(run)).catch(unlessCancelled);
  try {
    const { root } = deployment;
    run.claim = await claims(run.durations, { repository, root }, job).claimHost(deployment.id);
    const { hostId } = run.claim.body;
    run.hosts.add(hostId);
    return hostId;
  } finally {
    showing.cancel();
    await shown;
    run.waitedMs += Date.now() - since;
    if (run.progress.waitsFor !== undefined) note(run, withoutReason(run.progress));
  }
}

/**
 * Shows the reason for the wait, less and less often, until it is cancelled. Thousands may wait at the same time, and the numbers
 * change all the time: those of the moment are on the console's page of hosts.
 */
async function showWait(run: Run): Promise<never> {
  await sleep(run.durations.claimShownAfterMs, { summary: 'until the wait for a host is shown' });
  const { root } = run.input.deployment;
  for (let pauseMs = run.durations.claimRefreshMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_SHOWN_MS)) {
    note(run, { ...run.progress, reason: await whyNoHost(root), waitsFor: 'host' });
    await sleep(pauseMs, { summary: 'before the wait for a host is shown anew' });
  }
}

/** The end of the claim cancels `showWait`, which is no error. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
