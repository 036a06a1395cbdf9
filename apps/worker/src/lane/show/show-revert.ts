import { preparedRevert, type Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../../platform/context.ts';
import { rewriteEnded } from './write-ended.ts';

/** Of a late outcome, which its check run shows no longer. */
const LATE = 'The apply that was interrupted has failed meanwhile: its log says why.';

/** Once such a plan has ended, writes the check run of the failed apply again. */
export async function showRevert(context: WorkerContext, repository: Repository, plan: Deployment): Promise<void> {
  const { root, preview } = plan;
  const failedId = preview?.reverts?.deploymentId;
  if (failedId === undefined || preparedRevert(failedId, plan) === undefined) return;
  const deployment = (await context.deploymentRecords.find(repository, root.name, failedId))?.deployment;
  if (deployment === undefined) return;
  const isLate = deployment.progress.status === 'apply-outcome-unknown';
  const why = await rewriteEnded(context, { repository, deployment, ...(isLate && { notice: LATE }) });
  if (why !== undefined) context.logger.warn({ why, deployment: failedId }, 'no check run shows the plan to go back');
}
