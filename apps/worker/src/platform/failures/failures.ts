/**
 * Turns the errors of packages into failures for workflows. Only this file decides whether another attempt can help; of closed
 * gates, their rows say so.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { FINAL_CODES, gateWaitIn } from './gate-closed.ts';

/** Another attempt cannot help: the author of the change, the operator or we must act. All other errors may pass. */
const NON_RETRYABLE: ReadonlySet<string> = new Set([
  ...FINAL_CODES,
  'FORGED',
  'EVENT_EXPIRED',
  'GO_EXPIRED',
  'ORDER_EXPIRED',
  'DEPLOYMENT_ENDED',
  'ROLLOUT_MISSING',
  'OTHER_STATE',
  'OUTDATED',
  'OVERTAKEN',
  'TOO_MANY_JOBS',
  'REVIEW_OUTDATED',
  'APPROVAL_EXPIRED',
  'NO_IDENTITY',
  'NO_IDENTITY_KEY',
  'REVISION_GONE',
  'REVISION_TOO_LARGE',
  'CONTENT_ABSENT',
  'ROOT_SECRET',
  'INVALID_NAME',
  'BINARY_MISSING',
  'VERSION_UNAVAILABLE',
  'CHECKSUM_MISMATCH',
  'SUMS_NOT_SIGNED',
  'RECORD_CONFLICT',
  'APPLY_ALREADY_STARTED',
  'FORGE_REFUSED',
  'UNREADABLE_QUESTION',
]);

/** Whether another attempt cannot help. */
export function isFinal(error: unknown): error is Error {
  return error instanceof Error && NON_RETRYABLE.has(codeOf(error) ?? '');
}

/** The same activities, but a thrown error becomes an `ApplicationFailure` whose type is the error's code. */
export function withFailures<T extends object>(activities: T): T {
  const wrapped = Object.entries(activities).map(([name, activity]) => [name, wrap(activity as Activity)]);
  return Object.fromEntries(wrapped) as T; // The same names with functions of the same types.
}

type Activity = (...args: unknown[]) => Promise<unknown>;

function wrap(activity: Activity): Activity {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      throw toFailure(error);
    }
  };
}

/** The failure that the workflow sees. It carries the details, unless the error is a failure of Temporal's already. */
export function toFailure(error: unknown, ...details: readonly unknown[]): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const code = codeOf(error);
  const failure = ApplicationFailure.create({
    message: (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_LIMIT),
    ...(code !== undefined && { type: code, nonRetryable: NON_RETRYABLE.has(code) }),
    ...(error instanceof Error && error.cause instanceof Error && { cause: shortened(error.cause, CAUSES) }),
    details: [...details],
  });
  if (error instanceof Error && error.stack !== undefined) failure.stack = error.stack.slice(0, STACK_LIMIT);
  return failure;
}

/** The failure of a request for permission to apply. If the deployment is to keep waiting at a gate, its details say why. */
export function toBeginFailure(error: unknown, attempt: number): unknown {
  const wait = gateWaitIn(error);
  return wait === undefined
    ? toFailure(error)
    : toFailure(error, { ...wait, ...(attempt > 1 && { isRepeated: true }) });
}

/** Temporal replaces a failure of more than 4 KB by "Failure exceeds size limit", and gRPC's own stacks take that much. */
const STACK_LIMIT = 500;
const MESSAGE_LIMIT = 1_000;
const CAUSES = 3;
const CAUSE_LIMIT = 300;

/** Without stacks. */
function shortened(error: Error, causes: number): Error {
  const cause = causes > 1 && error.cause instanceof Error ? shortened(error.cause, causes - 1) : undefined;
  const message = error.message.slice(0, CAUSE_LIMIT);
  return Object.assign(new Error(message, { cause }), { name: error.name, stack: `${error.name}: ${message}` });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
