/** The end of a deployment, told and stored. */
import { MESSAGE, type Ended, type Ending } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { finishDeployment } from './record/finish-deployment.ts';
import { isTaken, showCheckRuns, type Attempt } from './show-check-runs.ts';
import { signalLane } from './signal-lane.ts';

/** Of the two minutes of an attempt: storage and the audit trail get the others. */
const GITHUB_MS = 60_000;

export async function endDeployment(
  context: WorkerContext,
  { show, ...finish }: Ending,
  { number, signal }: Attempt & { readonly number: number },
): Promise<Ended> {
  const { repository, deployment } = finish.record;
  const body = { version: 1, deploymentId: deployment.id, progress: deployment.progress } as const;
  await signalLane(context, repository, deployment.root.name, { name: MESSAGE.deploymentEnded, body });
  if (show === undefined) return { isStored: false };

  // What an earlier attempt began may have happened.
  const creationUncertain = show.creationUncertain === true || number > 1;
  const presentation = { ...show, deployment, ...(creationUncertain && { creationUncertain }) };
  const [shown] = await showCheckRuns(context, repository, [presentation], { startToCloseMs: GITHUB_MS, signal });
  if (!isTaken(shown)) return { isStored: false };

  const { checkRuns } = shown.kind === 'shown' ? shown : deployment;
  const record = { ...finish.record, deployment: { ...deployment, checkRuns } };
  return { shown, isStored: await isFinished(context, { ...finish, record }) };
}

/** What cannot be stored now, the workflow has stored for as long as it takes. */
async function isFinished(context: WorkerContext, finish: Parameters<typeof finishDeployment>[1]): Promise<boolean> {
  try {
    await finishDeployment(context, finish);
    return true;
  } catch (error) {
    context.logger.warn(
      { err: error, deployment: finish.record.deployment.id },
      'an end cannot be stored: it is tried again',
    );
    return false;
  }
}
