/** Ends a preview whose workflow was ended by force: nobody else stores its end, and its check run would plan for ever. */
import { hasEnded, type Progress } from '@nereid/domain/deployment';
import type { PreviewRecord } from '@nereid/domain/pull-request';
import type { PreviewPlace } from '@nereid/storage';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../platform/context.ts';
import { endPreview } from './end-preview.ts';

/** What the forge has not taken by then stays as it was; the check run of the pull request says it all the same. */
const SHOWN_WITHIN_MS = 60_000;

/** False when its workflow runs, or its end is stored. */
export async function endIfLost(context: WorkerContext, place: PreviewPlace, signal: AbortSignal): Promise<boolean> {
  if (await isRunning(context, place.id)) return false;
  // Read afterwards, because a workflow stores its end before it closes.
  const record = await context.pullRequestRecords.readPreview(place, place.rootName, place.id);
  if (record === undefined || hasEnded(record.deployment.progress.status)) return false;
  const attempt = { number: 1, signal, startToCloseMs: SHOWN_WITHIN_MS };
  // It may have written its check run, whose number is lost with it.
  const show = { creationUncertain: true };
  await endPreview(context, { record: lost(record), audits: [], deletesPlan: true, show }, attempt);
  return true;
}

async function isRunning({ temporal }: WorkerContext, id: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(id).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function lost({ deployment, ...record }: PreviewRecord) {
  const reason = 'Its workflow was ended by force before the plan was made';
  const progress: Progress = { ...deployment.progress, status: 'host-lost', reason };
  return { ...record, deployment: { ...deployment, progress }, endedAt: new Date().toISOString() };
}
