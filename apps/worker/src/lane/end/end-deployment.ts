/** Ends a deployment whose workflow tells its end itself. */
import type { Ended, Ending } from '@nereid/domain/deployment-actor';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../../platform/context.ts';
import { signalLane } from '../signal-lane.ts';
import { isTaken, type NumberedAttempt } from '../show/show-check-runs.ts';
import { showAndStore } from './show-and-store.ts';

/** A share of an attempt's time. */
export const FOR_FORGE = 0.5;

/** Its lane first: the next deployment waits for that. */
export async function endDeployment(context: WorkerContext, ending: Ending, attempt: NumberedAttempt): Promise<Ended> {
  const { repository, deployment } = ending.record;
  const body = { version: 1, deploymentId: deployment.id, progress: deployment.progress } as const;
  await signalLane(context, repository, deployment.root.name, { name: MESSAGE.deploymentEnded, body });
  const forForge = { ...attempt, startToCloseMs: attempt.startToCloseMs * FOR_FORGE };
  const { shown, isStored } = await showAndStore(context, ending, forForge, attempt);
  return { ...(isTaken(shown) && { shown }), isStored };
}
