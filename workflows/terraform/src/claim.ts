/** A slot on a host. A wait for one is shown when it lasts. */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { claims } from './activities.ts';
import { advance } from './progress.ts';
import { tell, timestamp, type Run } from './run.ts';

export async function claimHost(run: Run): Promise<string> {
  const shown = new CancellationScope();
  void shown.run(() => showWait(run)).catch(ignoreCancellation);
  try {
    const { hostId } = await claims(run.durations).claimHost(run.input.deploymentId);
    run.hosts.add(hostId);
    run.hostId = hostId;
    return hostId;
  } finally {
    shown.cancel();
  }
}

async function showWait(run: Run): Promise<void> {
  await sleep(run.durations.claimShownAfterMs);
  run.progress = advance(run.progress, run.progress.status, timestamp(), { reason: 'Waiting for a host' });
  tell(run);
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
