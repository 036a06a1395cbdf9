/** A slot on a host. A wait for one is shown when it lasts, with what it waits for. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { claims, whyNoHost } from './activities.ts';
import { LONGEST_SHOWN_MS } from './durations.ts';
import { withoutReason } from './progress.ts';
import { note, type Run } from './run.ts';

/** One claim, however long it waits: whichever host answers has the slot. */
export async function claimHost(run: Run, job: 'plan' | 'apply'): Promise<string> {
  const { repository, deployment } = run.input;
  const since = Date.now();
  const showing = new CancellationScope();
  const shown = showing.run(() => showWait(run)).catch(unlessCancelled);
  try {
    const { hostId } = await claims(run.durations, repository, job).claimHost(deployment.id);
    run.hosts.add(hostId);
    run.hostId = hostId;
    return hostId;
  } finally {
    showing.cancel();
    await shown;
    run.waitedMs += Date.now() - since;
    if (run.progress.waitsFor !== undefined) note(run, withoutReason(run.progress));
  }
}

/** Until it is cancelled: what has changed is shown, less and less often. */
async function showWait(run: Run): Promise<never> {
  await sleep(run.durations.claimShownAfterMs, { summary: 'until the wait for a host is shown' });
  let pauseMs = run.durations.claimRefreshMs;
  for (let shown: string | null = null; ;) {
    shown = await whyNoHost(shown, run.durations);
    note(run, { ...run.progress, reason: shown, waitsFor: 'host' });
    await sleep(pauseMs, { summary: 'before the wait for a host is shown anew' });
    pauseMs = Math.min(pauseMs * 2, LONGEST_SHOWN_MS);
  }
}

/** Nothing of the claim depends on what is shown. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
