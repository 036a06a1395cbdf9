/** Stores the end of a deployment, and removes its plan. */
import type { Finish } from '@nereid/domain/deployment-actor';
import { trailFact } from '@nereid/domain/events';
import { poolOf } from '@nereid/domain/root';
import type { WorkerContext } from '../../platform/context.ts';
import { returnLeases, type LeaseContext } from '../budgets/budget-leases.ts';
import { provenAudits, type ProofContext } from './proven-audits.ts';
import { recordDeployment } from './record-deployment.ts';

/**
 * Its record comes after the audit trail: if the workflow is ended by force in between, a later look for the end finds the step
 * that is left. The marker of its apply stays: somebody else may have sent this, before the end or with another one.
 */
export async function finishDeployment(
  context: ProofContext &
    LeaseContext &
    Pick<WorkerContext, 'deploymentRecords' | 'rolloutRecords' | 'rootPlaces' | 'keptPlans' | 'publish'>,
  { record, audits, deletesPlan }: Finish,
): Promise<void> {
  const { id, root } = record.deployment;
  if (deletesPlan) await context.keptPlans.of(poolOf(root)).remove(id);
  await context.publish(...(await provenAudits(context, record, audits)).map(trailFact));
  await recordDeployment(context, record);
  await returnLeases(context, record.repository, [record.deployment]);
}
