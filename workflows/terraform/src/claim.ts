/** A slot on a host. A wait for one is shown when it lasts. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Progress } from '@nereid/contracts';
import { claims } from './activities.ts';
import { withoutReason } from './progress.ts';
import { tell, type Run } from './run.ts';

const WAITING = 'Waiting for a host';

export async function claimHost(run: Run): Promise<string> {
  const wait = new CancellationScope();
  void wait.run(() => showWait(run)).catch(ignoreCancellation);
  try {
    const { hostId } = await claims(run.durations).claimHost(run.input.deploymentId);
    run.hosts.add(hostId);
    run.hostId = hostId;
    return hostId;
  } finally {
    wait.cancel();
    if (run.progress.reason === WAITING) show(run, withoutReason(run.progress));
  }
}

async function showWait(run: Run): Promise<void> {
  await sleep(run.durations.claimShownAfterMs);
  show(run, { ...run.progress, reason: WAITING });
}

function show(run: Run, progress: Progress): void {
  run.progress = progress;
  tell(run);
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
