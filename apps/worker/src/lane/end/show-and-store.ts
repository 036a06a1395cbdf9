/** Shows an end and stores it, in this order: the record has all check runs if the forge takes the end in time. */
import { setTimeout } from 'node:timers/promises';
import { defined } from '@nereid/domain/defined';
import type { Deployment, DeploymentRecord, Shown } from '@nereid/domain/deployment';
import type { Ending, Finish } from '@nereid/domain/deployment-actor';
import type { WorkerContext } from '../../platform/context.ts';
import { finishDeployment } from '../record/finish-deployment.ts';
import { showCheckRuns, type NumberedAttempt } from '../show/show-check-runs.ts';

/** A share of an attempt's time. If storage and the audit trail need longer, storing the end is left to the workflow. */
const FOR_STORAGE = 0.3;

export interface ShownAndStored {
  /** Absent when nothing was to be shown. */
  readonly shown?: Shown;
  readonly isStored: boolean;
}

/** `forForge` is the time in which the forge is to show the end. */
export async function showAndStore(
  context: WorkerContext,
  { show, ...finish }: Ending,
  forForge: NumberedAttempt,
  { startToCloseMs }: Pick<NumberedAttempt, 'startToCloseMs'>,
): Promise<ShownAndStored> {
  const { repository, deployment } = finish.record;
  const store = (record: DeploymentRecord) => tryToStore(context, { ...finish, record }, startToCloseMs * FOR_STORAGE);
  if (show === undefined) return { isStored: await store(finish.record) };

  const [shown] = await showCheckRuns(context, repository, [{ ...show, deployment }], forForge);
  const isStored = await store({ ...finish.record, deployment: withCheckRuns(deployment, shown) });
  return { ...defined({ shown }), isStored };
}

function withCheckRuns(deployment: Deployment, shown: Shown | undefined): Deployment {
  return shown?.kind === 'shown' ? { ...deployment, checkRuns: shown.checkRuns } : deployment;
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
