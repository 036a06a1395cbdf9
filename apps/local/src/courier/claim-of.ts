import type { Claim } from '@nereid/domain/host';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { claimQueue } from '@nereid/domain/temporal-names';
import type { Courier } from './courier.ts';

/** The signature of a host on its claim of the deployment: it answers anybody who asks. */
export async function claimOf(courier: Courier, deploymentId: string): Promise<string> {
  const { signature = '' } = (await courier.ask(claimQueue(DEFAULT_POOL), 'claimHost', deploymentId)) as Claim;
  return signature;
}
