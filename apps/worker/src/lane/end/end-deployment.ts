/** Ends a deployment whose workflow tells its end itself. */
import { isTaken, SHOWN_FIRST_MS } from '@nereid/domain/deployment';
import type { Ended, Ending } from '@nereid/domain/deployment-actor';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../../platform/context.ts';
import { finishDeployment } from '../record/finish-deployment.ts';
import { signalLane } from '../signal-lane.ts';
import { showCheckRun, within, type NumberedAttempt } from '../show/show-check-runs.ts';
import { showAndStore } from './show-and-store.ts';

/**
 * Its lane first: the next deployment waits for that. While another write of the workflow is under way, only the lane is told: the
 * record is to have the check run of that write.
 */
export async function endDeployment(context: WorkerContext, ending: Ending, attempt: NumberedAttempt): Promise<Ended> {
  await signalEnd(context, ending);
  if (ending.show === undefined) return { isStored: false };
  const forForge = { ...attempt, ...within(SHOWN_FIRST_MS, attempt.signal) };
  const { shown, isStored } = await showAndStore(context, ending, forForge, attempt);
  return { ...(isTaken(shown) && { shown }), isStored };
}

/** The same in the place of a workflow that is gone. Throws until the forge takes the end: nobody else would show it later. */
export async function endInItsPlace(context: WorkerContext, ending: Ending, attempt: NumberedAttempt): Promise<void> {
  await signalEnd(context, ending);
  const { show, ...finish } = ending;
  const { repository, deployment } = finish.record;
  const shown = await showCheckRun(context, repository, { ...show, deployment }, attempt);
  const { checkRuns } = shown.kind === 'shown' ? shown : deployment;
  await finishDeployment(context, {
    ...finish,
    record: { ...finish.record, deployment: { ...deployment, checkRuns } },
  });
}

async function signalEnd(context: WorkerContext, { record: { repository, deployment } }: Ending): Promise<void> {
  const body = { version: 1, deploymentId: deployment.id, progress: deployment.progress } as const;
  await signalLane(context, repository, deployment.root.name, { name: MESSAGE.deploymentEnded, body });
}
