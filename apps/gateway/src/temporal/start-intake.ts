import { CONTROL_QUEUE, deliveryWorkflowId, WORKFLOW, type IntakeInput } from '@nereid/contracts';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';

/** Hands an event to Temporal. Never throws: an error becomes the cause of `unavailable`. */
export type StartIntake = (input: IntakeInput) => Promise<Started>;

export type Started =
  | { readonly kind: 'accepted' }
  /** This delivery is being processed, or was processed before. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** GitHub waits ten seconds for a response; using half of them leaves room for slow networks on both sides. */
const HAND_OVER_MS = 5_000;

/**
 * Lanes and deployments have the default, 3, and go first: what a webhook asks of a lane is answered by the lane, so a thousand
 * webhooks that came first would wait for it, and it for them.
 */
const INTAKE_PRIORITY = 4;

export function createStartIntake({ connection, workflow }: Client, deadlineMs = HAND_OVER_MS): StartIntake {
  return async (input) => {
    try {
      await connection.withDeadline(Date.now() + deadlineMs, () =>
        workflow.start(WORKFLOW.intake, {
          taskQueue: CONTROL_QUEUE,
          workflowId: deliveryWorkflowId(input.delivery),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          workflowIdConflictPolicy: 'FAIL',
          priority: { priorityKey: INTAKE_PRIORITY },
          args: [input],
        }),
      );
      return { kind: 'accepted' };
    } catch (cause) {
      return cause instanceof WorkflowExecutionAlreadyStartedError
        ? { kind: 'duplicate' }
        : { kind: 'unavailable', cause };
    }
  };
}
