import {
  CONTROL_QUEUE,
  fairnessKey,
  intakeWorkflowId,
  isConsoleRequest,
  WORKFLOW,
  type IntakeEvent,
  type IntakeInput,
} from '@nereid/contracts';
import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowStartOptions } from '@temporalio/client';

/** Hands an event to Temporal. Never throws: an error becomes the cause of `unavailable`. */
export type StartIntake = (input: IntakeInput) => Promise<Started>;

export type Started =
  | { readonly kind: 'accepted' }
  /** This delivery or request is being processed, or was processed before. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** GitHub waits ten seconds for a response; using half of them leaves room for slow networks on both sides. */
const HAND_OVER_MS = 5_000;

/**
 * Below the default, 3, of lanes and deployments: a lane answers what an event asks of it, so a thousand events that came
 * first would wait for the lane, and the lane for them. A review asks no lane, and neither does a request for a host, and a person waits for them.
 */
const INTAKE_PRIORITY = 4;

function priorityOf({ event }: IntakeInput): NonNullable<WorkflowStartOptions['priority']> {
  if (event.kind === 'host-request') return {};
  const turns = { fairnessKey: fairnessKey(event.repository) };
  return isReview(event) ? turns : { ...turns, priorityKey: INTAKE_PRIORITY };
}

function isReview(event: IntakeEvent): boolean {
  return (event.kind === 'button' && 'mark' in event.button) || (event.kind === 'request' && 'seen' in event.request);
}

/** In the memo of a request: tells whether another one with its id is the same. */
export const BODY_DIGEST = 'bodyDigest';

function memoOf({ event, bodyDigest }: IntakeInput): Pick<WorkflowStartOptions, 'memo'> {
  return isConsoleRequest(event) ? { memo: { [BODY_DIGEST]: bodyDigest ?? '' } } : {};
}

export function createStartIntake({ connection, workflow }: Client, deadlineMs = HAND_OVER_MS): StartIntake {
  return async (input) => {
    try {
      await connection.withDeadline(Date.now() + deadlineMs, () =>
        workflow.start(WORKFLOW.intake, {
          taskQueue: CONTROL_QUEUE,
          workflowId: intakeWorkflowId(input),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          workflowIdConflictPolicy: 'FAIL',
          priority: priorityOf(input),
          ...memoOf(input),
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
