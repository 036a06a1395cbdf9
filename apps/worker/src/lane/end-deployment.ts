/** Reports and stores the end of a deployment. */
import { setTimeout } from 'node:timers/promises';
import { defined } from '@nereid/domain/defined';
import type { Deployment, Shown } from '@nereid/domain/deployment';
import type { Ended, Ending, Finish } from '@nereid/domain/deployment-actor';
import { withoutEnded, type Settled, type Settlement } from '@nereid/domain/lane';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';
import { finishDeployment } from './record/finish-deployment.ts';
import { storeLane } from './record/lane-record.ts';
import { provenRecord } from './record/proven-record.ts';
import { isTaken, showCheckRuns, within, type Attempt } from './show/show-check-runs.ts';
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
  const forForge = { ...attempt, startToCloseMs: attempt.startToCloseMs * FOR_FORGE };
  const { shown, isStored } = await showAndStore(context, ending, forForge, attempt.startToCloseMs * FOR_STORAGE);
  return { ...(isTaken(shown) && { shown }), isStored };
}

/**
 * The same for an end that was returned to its lane, whose record has it as well. Until that is stored, another run of the lane finds
 * the end where it was returned.
 */
export async function endInLane(
  context: WorkerContext,
  ending: Ending,
  { record, ifVersion, returned }: Pick<Settlement, 'record' | 'ifVersion' | 'returned'>,
  { number, signal, startToCloseMs }: Attempt & { readonly number: number },
): Promise<Settled> {
  const forForge = { ...within(returned?.withinMs ?? 0, signal), number };
  const { shown, isStored } = await showAndStore(context, ending, forForge, startToCloseMs * FOR_STORAGE);
  if (!isStored) return { kind: 'unsettled', ...defined({ shown }) };
  const { id } = ending.record.deployment;
  const proven = await provenRecord(context, withoutEnded(record, id));
  return { ...(await storeLane(context.laneRecords, proven, ifVersion)), ...defined({ shown }) };
}

/** What the forge does not take is not stored: the record would lack a check run. */
async function showAndStore(
  context: WorkerContext,
  { show, ...finish }: Ending,
  { number, ...forForge }: Attempt & { readonly number: number },
  forStorageMs: number,
): Promise<{ readonly shown?: Shown; readonly isStored: boolean }> {
  const { repository, deployment } = finish.record;
  if (show === undefined) return { isStored: false };

  // An earlier attempt may have created the check run.
  const creationUncertain = show.creationUncertain === true || number > 1;
  const presentation = { ...show, deployment, ...(creationUncertain && { creationUncertain }) };
  const [shown] = await showCheckRuns(context, repository, [presentation], forForge);
  if (!isTaken(shown)) return { ...defined({ shown }), isStored: false };

  const record = { ...finish.record, deployment: withCheckRuns(deployment, shown) };
  return { shown, isStored: await tryToStore(context, { ...finish, record }, forStorageMs) };
}

function withCheckRuns(deployment: Deployment, shown: Shown): Deployment {
  return shown.kind === 'shown' ? { ...deployment, checkRuns: shown.checkRuns } : deployment;
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
