/** A slot on a host. A wait for one is shown when it lasts, with what it waits for. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Claim } from '@nereid/contracts';
import { claims, whyNoHost } from './activities.ts';
import { LONGEST_SHOWN_MS } from './durations.ts';
import { withoutReason } from './progress.ts';
import { tell, type Run } from './run.ts';

export async function claimHost(run: Run): Promise<string> {
  const since = Date.now();
  const { hostId } = (await claimSoon(run)) ?? (await claimVisibly(run));
  run.waitedMs += Date.now() - since;
  run.hosts.add(hostId);
  run.hostId = hostId;
  return hostId;
}

/** Undefined when no host had a slot for a while. */
async function claimSoon({ durations, input }: Run): Promise<Claim | undefined> {
  try {
    return await claims(durations, durations.claimShownAfterMs).claimHost(input.deploymentId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}

async function claimVisibly(run: Run): Promise<Claim> {
  const showing = new CancellationScope();
  // Nothing of the claim depends on what is shown.
  const shown = showing.run(() => showWait(run)).catch(() => undefined);
  try {
    return await claims(run.durations).claimHost(run.input.deploymentId);
  } finally {
    showing.cancel();
    await shown;
    if (run.progress.waitsFor !== undefined) {
      run.progress = withoutReason(run.progress);
      tell(run);
    }
  }
}

/** Until it is cancelled: what has changed is shown, less and less often. */
async function showWait(run: Run): Promise<never> {
  let pauseMs = run.durations.claimRefreshMs;
  for (let shown: string | null = null; ;) {
    shown = await whyNoHost(shown, run.durations);
    run.progress = { ...run.progress, reason: shown, waitsFor: 'host' };
    tell(run);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_SHOWN_MS);
  }
}
