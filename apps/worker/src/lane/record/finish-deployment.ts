/** Stores the end of a deployment, and removes its plan and its marker. */
import type { Finish } from '@nereid/contracts';
import type { WorkerContext } from '../../context.ts';
import { recordAudits } from '../../record-audit.ts';
import { recordDeployment } from './record-deployment.ts';

/**
 * Its record comes after the audit trail, and the marker of its apply goes last: if the workflow is ended by force in
 * between, a later look for the end finds the steps that are left.
 */
export async function finishDeployment(
  context: Pick<
    WorkerContext,
    'deploymentRecords' | 'rootPlaces' | 'begunApplies' | 'keptPlans' | 'audit' | 'auditRequired' | 'logger'
  >,
  { record, audits, deletesPlan }: Finish,
): Promise<void> {
  const { id } = record.deployment;
  if (deletesPlan) await context.keptPlans.remove(id);
  await recordAudits(context, audits);
  await recordDeployment(context, record);
  await context.begunApplies.remove(id);
}
