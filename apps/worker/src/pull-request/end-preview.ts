/** Stores and shows the end of a preview. */
import { poolOf, type DeploymentRecord, type Ended, type Ending, type Finish } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { FOR_GITHUB } from '../lane/end-deployment.ts';
import { isTaken, showCheckRuns, type Attempt } from '../lane/show/show-check-runs.ts';
import { noteState } from './stale/seen-state.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** Storage comes first: the pull request's check run is made of it. */
export async function endPreview(
  context: WorkerContext,
  { show, ...finish }: Ending,
  { number, signal, startToCloseMs }: Attempt & { readonly number: number },
): Promise<Ended> {
  const { repository, deployment } = finish.record;
  await finishPreview(context, finish);
  await tell(context, finish.record);
  await noteState(context, repository, deployment, number > 1);
  if (show === undefined) return { isStored: true };
  const creationUncertain = show.creationUncertain === true || number > 1;
  const presentation = { ...show, deployment, ...(creationUncertain && { creationUncertain }) };
  // Storage has used a part of the attempt.
  const time = { startToCloseMs: startToCloseMs * FOR_GITHUB, signal };
  const [shown] = await showCheckRuns(context, repository, [presentation], time);
  return { ...(isTaken(shown) && { shown }), isStored: true };
}

export async function finishPreview(context: WorkerContext, { record, deletesPlan }: Finish): Promise<void> {
  const { id, root } = record.deployment;
  if (deletesPlan) await context.keptPlans.of(poolOf(root)).remove(id);
  await context.pullRequestRecords.writePreview(record);
}

async function tell(context: WorkerContext, { repository, deployment }: DeploymentRecord): Promise<void> {
  const { id: deploymentId, pullRequest: number, preview } = deployment;
  if (number === undefined) return;
  const { group } = preview ?? {};
  const subject = { number, ...(group !== undefined && { group }) };
  await signalPullRequest(context, repository, subject, 'previewEnded', { deploymentId });
}
