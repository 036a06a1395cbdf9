import { setTimeout as pause } from 'node:timers/promises';
import { intakeWorkflowId, isConsoleRequest, type IntakeEvent, type IntakeInput } from '@nereid/domain/intake';
import { fairnessKey } from '@nereid/domain/root';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import {
  NamespaceNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';

/** Hands an event to Temporal. Never throws: an error becomes the cause of `unavailable`. */
export type StartIntake = (input: IntakeInput) => Promise<Started>;

export type Started =
  | { readonly kind: 'accepted' }
  /** This delivery or request is being processed, or was processed before. */
  | { readonly kind: 'duplicate' }
  /** `nothingStarted`: Temporal refused it. Otherwise it may have been started all the same, and the answer was lost or late. */
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly nothingStarted: boolean };

/** GitHub waits ten seconds for a response; using half of them leaves room for slow networks on both sides. */
const HAND_OVER_MS = 5_000;

/**
 * Below the default, 3, of lanes and deployments: a lane answers what an event asks of it, so a thousand events that came
 * first would wait for the lane, and the lane for them. A review asks no lane, and neither does a request for a host, and a person waits for them.
 */
const INTAKE_PRIORITY = 4;

function priorityOf({ body: { event } }: IntakeInput): NonNullable<WorkflowStartOptions['priority']> {
  if (event.kind === 'operator-request') return {};
  const turns = { fairnessKey: fairnessKey(event.repository) };
  return isReview(event) ? turns : { ...turns, priorityKey: INTAKE_PRIORITY };
}

function isReview(event: IntakeEvent): boolean {
  return (event.kind === 'button' && 'mark' in event.button) || (event.kind === 'request' && 'seen' in event.request);
}

/** In the memo of a request: tells whether another one with its id is the same. */
export const BODY_DIGEST = 'bodyDigest';

function memoOf({ body: { event, bodyDigest } }: IntakeInput): Pick<WorkflowStartOptions, 'memo'> {
  return isConsoleRequest(event) ? { memo: { [BODY_DIGEST]: bodyDigest ?? '' } } : {};
}

/** A server whose database is away for a moment says that it finds no namespace. It asks its database again after a second. */
const NAMESPACE_PAUSE_MS = 500;

export function createStartIntake({ connection, workflow }: Client, deadlineMs = HAND_OVER_MS): StartIntake {
  return async (input) => {
    const deadline = Date.now() + deadlineMs;
    for (;;) {
      const started = await connection.withDeadline(deadline, () => startOnce(workflow, input));
      const isLate = Date.now() + NAMESPACE_PAUSE_MS > deadline;
      if (started.kind !== 'unavailable' || !(started.cause instanceof NamespaceNotFoundError) || isLate)
        return started;
      await pause(NAMESPACE_PAUSE_MS);
    }
  };
}

async function startOnce(workflow: Client['workflow'], input: IntakeInput): Promise<Started> {
  try {
    await workflow.start(WORKFLOW.intake, {
      taskQueue: CONTROL_QUEUE,
      workflowId: intakeWorkflowId(input.body),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
      priority: priorityOf(input),
      ...memoOf(input),
      args: [input],
    });
    return { kind: 'accepted' };
  } catch (cause) {
    return cause instanceof WorkflowExecutionAlreadyStartedError
      ? { kind: 'duplicate' }
      : { kind: 'unavailable', cause, nothingStarted: isRefusal(cause) };
  }
}

/**
 * With these codes of gRPC the server says that it does not do what it was asked for: invalid argument, not found, permission denied,
 * failed precondition, unimplemented, unauthenticated. With all others, a deadline above all, the request may have arrived.
 */
const REFUSALS: ReadonlySet<unknown> = new Set([3, 5, 7, 9, 12, 16]);

/** The client wraps the error of the call. */
function isRefusal(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError || error instanceof WorkflowNotFoundError) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && REFUSALS.has(cause.code)) return true;
  return false;
}
