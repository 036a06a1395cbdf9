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
  const shown = showing.run(() => showWait(run, job)).catch(unlessCancelled);
  try {
    const { root } = deployment;
    run.claim = await claims(run.durations, { repository, root }, job).claimHost(deployment.id);
    const { hostId } = run.claim;
    run.hosts.add(hostId);
    return hostId;
  } finally {
    showing.cancel();
    await shown;
    run.waitedMs += Date.now() - since;
    if (run.progress.waitsFor !== undefined) note(run, withoutReason(run.progress));
  }
}

/** Shows the reason for the wait whenever it has changed, less and less often, until it is cancelled. */
async function showWait(run: Run, job: ClaimedFor): Promise<never> {
  await sleep(run.durations.claimShownAfterMs, { summary: 'until the wait for a host is shown' });
  const { root } = run.input.deployment;
  let pauseMs = run.durations.claimRefreshMs;
  for (let shown: string | null = null; ;) {
    shown = await whyNoHost(shown, { job, root }, run.durations);
    note(run, { ...run.progress, reason: shown, waitsFor: 'host' });
    await sleep(pauseMs, { summary: 'before the wait for a host is shown anew' });
    pauseMs = Math.min(pauseMs * 2, LONGEST_SHOWN_MS);
  }
}

/** The end of the claim cancels `showWait`, which is no error. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
