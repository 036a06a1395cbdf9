import type { HostJob } from '@nereid/domain/deployment';
import type { Claim } from '@nereid/domain/host';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue } from '@nereid/domain/temporal-names';
import type { Courier } from './courier.ts';

/** The claim of a host on the deployment: it answers anybody who asks. */
export async function claimOf(courier: Courier, deploymentId: string): Promise<Signed<Claim>> {
  // The contract of that activity.
  return (await courier.ask(claimQueue(DEFAULT_POOL), 'claimHost', deploymentId)) as Signed<Claim>;
}

/** The answer of the first host with a free slot that is asked to plan. */
export function askToPlan(courier: Courier, job: HostJob): Promise<unknown> {
  return courier.ask(claimQueue(DEFAULT_POOL), 'claimAndPlan', job);
}
