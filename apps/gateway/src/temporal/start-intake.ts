import { CONTROL_QUEUE, deliveryWorkflowId, fairnessKey, WORKFLOW, type IntakeInput } from '@nereid/contracts';
import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowStartOptions } from '@temporalio/client';

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
 * Below the default, 3, of lanes and deployments: a lane answers what an event asks of it, so a thousand events that came
 * first would wait for the lane, and the lane for them. A review asks no lane, and a person waits for it.
 */
const INTAKE_PRIORITY = 4;

function priorityOf({ event }: IntakeInput): NonNullable<WorkflowStartOptions['priority']> {
  const isReview = event.kind === 'button' && 'mark' in event.button;
  const turns = { fairnessKey: fairnessKey(event.repository) };
  return isReview ? turns : { ...turns, priorityKey: INTAKE_PRIORITY };
}

export function createStartIntake({ connection, workflow }: Client, deadlineMs = HAND_OVER_MS): StartIntake {
  return async (input) => {
    try {
      await connection.withDeadline(Date.now() + deadlineMs, () =>
        workflow.start(WORKFLOW.intake, {
          taskQueue: CONTROL_QUEUE,
          workflowId: deliveryWorkflowId(input.delivery),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          workflowIdConflictPolicy: 'FAIL',
          priority: priorityOf(input),
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
