import { claimQueue, DEFAULT_POOL, type Claim, type Signed } from '@nereid/contracts';
import type { Courier } from './courier.ts';

/** The claim of a host on the deployment: it answers anybody who asks. */
export async function claimOf(courier: Courier, deploymentId: string): Promise<Signed<Claim>> {
  // The contract of that activity.
  return (await courier.ask(claimQueue(DEFAULT_POOL), 'claimHost', deploymentId)) as Signed<Claim>;
}
