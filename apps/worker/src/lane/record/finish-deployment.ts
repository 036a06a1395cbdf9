/** Stores what is left of a deployment that ended. */
import type { Finish } from '@nereid/contracts';
import type { WorkerContext } from '../../context.ts';
import { recordAudits } from '../../record-audit.ts';

/**
 * Its record comes behind the audit trail, and the marker of its apply goes last: where the workflow is ended by force in between,
 * whoever looks for the end finds what is left to do.
 */
export async function finishDeployment(
  context: Pick<
    WorkerContext,
    'deploymentRecords' | 'begunApplies' | 'keptPlans' | 'audit' | 'auditRequired' | 'logger'
  >,
  { record, audits, deletesPlan }: Finish,
): Promise<void> {
  const { id } = record.deployment;
  if (deletesPlan) await context.keptPlans.remove(id);
  await recordAudits(context, audits);
  await context.deploymentRecords.write(record);
  await context.begunApplies.remove(id);
}
