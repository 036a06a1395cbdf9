import type { AskAgain } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../platform/context.ts';

/** Somebody may wait for whoever tells it. */
const RING_MS = 5_000;

/** Tells a deployment that waits at a gate that this may be open. One that does not run waits for nothing. */
export async function askAgain({ temporal }: Pick<WorkerContext, 'temporal'>, deploymentId: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + RING_MS, () =>
      temporal.workflow.getHandle(deploymentId).signal<[AskAgain]>(MESSAGE.askAgain, { version: 1 }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
