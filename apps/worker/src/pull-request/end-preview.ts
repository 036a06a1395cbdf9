/** Stores and shows the end of a preview. */
import { defined } from '@nereid/domain/defined';
import { isTaken, type Deployment, type DeploymentRecord } from '@nereid/domain/deployment';
import type { Ended, Ending, Finish } from '@nereid/domain/deployment-actor';
import { poolOf } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';
import { showCheckRuns, type NumberedAttempt } from '../lane/show/show-check-runs.ts';
import { showRevert } from '../lane/show/show-revert.ts';
import { readConfirmation, withConfirmation } from './confirmed-for-merge.ts';
import { noteState } from './stale/seen-state.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** A share of an attempt's time: storage has used a part of the rest. */
const FOR_FORGE = 0.5;

/** Storage comes first: the pull request's check run is made of it. */
export async function endPreview(
  context: WorkerContext,
  { show, ...finish }: Ending,
  { number, signal, startToCloseMs }: NumberedAttempt,
): Promise<Ended> {
  const { repository } = finish.record;
  const deployment = await finishPreview(context, finish);
  await notifyPullRequest(context, finish.record);
  await noteState(context, repository, deployment, number > 1);
  await showRevert(context, repository, deployment);
  if (show === undefined) return { isStored: true };
  const forForge = { startToCloseMs: startToCloseMs * FOR_FORGE, signal, number };
  const [shown] = await showCheckRuns(context, repository, [{ ...show, deployment }], forForge);
  return { ...(isTaken(shown) && { shown }), isStored: true };
}

/** Returns the preview as it is stored. Where this is tried again, somebody may have confirmed the plan since it was shown. */
export async function finishPreview(context: WorkerContext, { record, deletesPlan }: Finish): Promise<Deployment> {
  const { id, root } = record.deployment;
  if (deletesPlan) await context.keptPlans.of(poolOf(root)).remove(id);
  const review = await readConfirmation(context, record.repository, record.deployment);
  const deployment = withConfirmation(record.deployment, review);
  await context.pullRequestRecords.writePreview({ ...record, deployment });
  return deployment;
}

async function notifyPullRequest(context: WorkerContext, { repository, deployment }: DeploymentRecord): Promise<void> {
  const { id: deploymentId, pullRequest: number, preview } = deployment;
  if (number === undefined) return;
  const { group } = preview ?? {};
  const subject = { number, ...defined({ group }) };
  await signalPullRequest(context, repository, subject, 'previewEnded', { deploymentId });
}
