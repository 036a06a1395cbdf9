/** A slot on a host. A wait for one is shown when it lasts. */
import { isCancellation } from '@temporalio/workflow';
import type { Claim } from '@nereid/contracts';
import { claims } from './activities.ts';
import { withoutReason } from './progress.ts';
import { tell, type Run } from './run.ts';

const WAITING = 'Waiting for a host';

export async function claimHost(run: Run): Promise<string> {
  const { hostId } = (await claimSoon(run)) ?? (await claimVisibly(run));
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
  run.progress = { ...run.progress, reason: WAITING };
  tell(run);
  const claim = await claims(run.durations).claimHost(run.input.deploymentId);
  run.progress = withoutReason(run.progress);
  tell(run);
  return claim;
}
