/** Stores what changed in a lane. */
import type { LaneStored, Settlement } from '@nereid/contracts';
import type { WorkerContext } from '../../context.ts';
import { recordAudits } from '../../record-audit.ts';
import { storeLane } from './lane-record.ts';

/**
 * The lane comes last: while its record does not say that a deployment is over, another run of the lane finds it and settles it
 * again. Done twice, it is the same.
 */
export async function settleLane(
  context: Pick<
    WorkerContext,
    'laneRecords' | 'deploymentRecords' | 'begunApplies' | 'audit' | 'auditRequired' | 'logger'
  >,
  { record, ifVersion, ended, audits }: Settlement,
): Promise<LaneStored> {
  for (const one of ended) {
    await context.deploymentRecords.write(one);
    // From here on its record says what its apply came to.
    await context.begunApplies.remove(one.deployment.id);
  }
  await recordAudits(context, audits);
  return storeLane(context.laneRecords, record, ifVersion);
}
