/** Stores the changes of a lane. */
import type { LaneStored, Settlement } from '@nereid/contracts';
import type { WorkerContext } from '../../context.ts';
import { recordAudits } from '../../record-audit.ts';
import { storeLane } from './lane-record.ts';
import { recordDeployment } from './record-deployment.ts';

/**
 * The lane's record comes last: until it says that a deployment is over, another run of the lane finds the deployment and
 * settles it again. Settling twice makes no difference.
 */
export async function settleLane(
  context: Pick<
    WorkerContext,
    'laneRecords' | 'deploymentRecords' | 'rootPlaces' | 'audit' | 'auditRequired' | 'logger'
  >,
  { record, ifVersion, ended, audits }: Settlement,
): Promise<LaneStored> {
  for (const one of ended) await recordDeployment(context, one);
  await recordAudits(context, audits);
  return storeLane(context.laneRecords, record, ifVersion);
}
