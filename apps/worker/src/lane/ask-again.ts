import type { AskAgain } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client';

/** As much of Temporal as it takes to tell a workflow something. */
export interface RingContext {
  readonly temporal: Pick<Client, 'withDeadline'> & {
    readonly workflow: { getHandle(workflowId: string): Pick<WorkflowHandle, 'signal'> };
  };
}

/** Somebody may wait for whoever tells it. */
const RING_MS = 5_000;

/** Tells a deployment that waits at a gate that this may be open. One that does not run waits for nothing. */
export async function askAgain({ temporal }: RingContext, deploymentId: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + RING_MS, () =>
      temporal.workflow.getHandle(deploymentId).signal<[AskAgain]>(MESSAGE.askAgain, { version: 1 }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
