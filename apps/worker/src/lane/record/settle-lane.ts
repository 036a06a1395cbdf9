/** Stores the changes of a lane. */
import type { DeploymentRecord } from '@nereid/domain/deployment';
import type { LaneRecord, LaneStored, Settlement } from '@nereid/domain/lane';
import { trailFact } from '@nereid/domain/events';
import type { AuditEvent } from '@nereid/domain/trail';
import type { WorkerContext } from '../../platform/context.ts';
import { returnLeases, type LeaseContext } from '../budgets/budget-leases.ts';
import { provenAudits, type ProofContext } from './proven-audits.ts';
import { provenRecord } from './proven-record.ts';
import { storeLane } from './lane-record.ts';
import { recordDeployment } from './record-deployment.ts';

type SettleContext = ProofContext &
  LeaseContext &
  Pick<WorkerContext, 'laneRecords' | 'deploymentRecords' | 'rolloutRecords' | 'rootPlaces' | 'publish'>;

/**
 * The lane's record comes last: until it says that a deployment is over, another run of the lane finds the deployment and
 * settles it again. Settling twice makes no difference.
 */
export async function settleLane(
  context: SettleContext,
  { record, ifVersion, ended, audits }: Settlement,
): Promise<LaneStored> {
  for (const one of ended) await recordDeployment(context, one);
  const proven = await provenOf(context, record, ended, audits);
  // One that was cancelled, or that another one overtook, may have got a lease to be planned, or a place.
  const over = ended.map(({ deployment }) => deployment);
  await Promise.all([context.publish(...proven.map(trailFact)), returnLeases(context, record.repository, over)]);
  return storeLane(context.laneRecords, await provenRecord(context, record), ifVersion);
}

/**
 * Each event is about a deployment that is stored with it, or was before. Of what is stored with it, those that were left out are told
 * as well: the run of the lane that had them may be gone.
 */
async function provenOf(
  context: SettleContext,
  { repository, rootName }: LaneRecord,
  ended: readonly DeploymentRecord[],
  audits: readonly AuditEvent[],
): Promise<readonly AuditEvent[]> {
  const proven: AuditEvent[] = [];
  for (const one of ended) {
    const own = audits.filter(({ deploymentId }) => deploymentId === one.deployment.id);
    proven.push(...(await provenAudits(context, one, own)));
  }
  const ids = new Set(ended.map(({ deployment }) => deployment.id));
  for (const event of audits.filter(({ deploymentId = '' }) => !ids.has(deploymentId))) {
    const { deploymentId = '' } = event;
    const record = await context.deploymentRecords.find(repository, rootName, deploymentId);
    if (record === undefined)
      context.signatures.forged('result/outcome', 'an event of a deployment that nobody recorded', deploymentId);
    else proven.push(...(await provenAudits(context, { repository, deployment: record.deployment }, [event])));
  }
  return proven;
}
