/** Reports and stores the end of a deployment. */
import { setTimeout } from 'node:timers/promises';
import type { Ended, Ending, Finish } from '@nereid/domain/deployment-actor';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';
import { finishDeployment } from './record/finish-deployment.ts';
import { isTaken, showCheckRuns, type Attempt } from './show/show-check-runs.ts';
import { signalLane } from './signal-lane.ts';

/** Shares of an attempt's time. If storage and the audit trail need longer, storing the end is left to the workflow. */
export const FOR_FORGE = 0.5;
const FOR_STORAGE = 0.3;

export async function endDeployment(
  context: WorkerContext,
  ending: Ending,
  attempt: Attempt & { readonly number: number },
): Promise<Ended> {
  const { repository, deployment } = ending.record;
  const body = { version: 1, deploymentId: deployment.id, progress: deployment.progress } as const;
  await signalLane(context, repository, deployment.root.name, { name: MESSAGE.deploymentEnded, body });
  return showAndStore(context, ending, attempt);
}

async function showAndStore(
  context: WorkerContext,
  { show, ...finish }: Ending,
  { number, signal, startToCloseMs }: Attempt & { readonly number: number },
): Promise<Ended> {
  const { repository, deployment } = finish.record;
  if (show === undefined) return { isStored: false };

  // An earlier attempt may have created the check run.
  const creationUncertain = show.creationUncertain === true || number > 1;
  const presentation = { ...show, deployment, ...(creationUncertain && { creationUncertain }) };
  const time = { startToCloseMs: startToCloseMs * FOR_FORGE, signal };
  const [shown] = await showCheckRuns(context, repository, [presentation], time);
  if (!isTaken(shown)) return { isStored: false };

  const { checkRuns } = shown.kind === 'shown' ? shown : deployment;
  const record = { ...finish.record, deployment: { ...deployment, checkRuns } };
  return { shown, isStored: await tryToStore(context, { ...finish, record }, startToCloseMs * FOR_STORAGE) };
}

/** False when the end cannot be stored now: the workflow then tries for as long as it takes. */
async function tryToStore(context: WorkerContext, finish: Finish, withinMs: number): Promise<boolean> {
  const stored = finishDeployment(context, finish).then(() => true);
  try {
    return await Promise.race([stored, setTimeout(withinMs, false, { ref: false })]);
  } catch (error) {
    context.logger.warn(
      { err: error, deployment: finish.record.deployment.id },
      'an end cannot be stored: it is tried again',
    );
    return false;
  }
}
