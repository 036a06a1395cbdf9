/** Why a command was stopped from outside, the truest cause first: of several causes, only the truest counts. */
export const STOP_CAUSES = ['timed-out', 'cancelled', 'host-shutting-down', 'slot-needed', 'output-limit'] as const;

export type StopCause = (typeof STOP_CAUSES)[number];

/** How far stopping had to go. `before-start`: the command never ran. */
export type StoppedBy = 'before-start' | 'sigint' | 'second-sigint' | 'sigkill';

export function outrankingCause(causes: ReadonlySet<StopCause>): StopCause | undefined {
  return STOP_CAUSES.find((cause) => causes.has(cause));
}

/** The reason for aborting a command's signal: `controller.abort(new StopRequest('host-shutting-down'))`. */
export class StopRequest extends Error {
  override readonly name = 'StopRequest';
  readonly code = 'STOP_REQUESTED';
  readonly stopCause: StopCause;

  constructor(stopCause: StopCause, options?: ErrorOptions) {
    super(`the command was asked to stop: ${stopCause}`, options);
    this.stopCause = stopCause;
  }
}

/** The cause that an aborted signal carries. A reason without a cause means a cancellation. */
export function stopCauseOf(signal: AbortSignal): StopCause {
  const reason: unknown = signal.reason;
  if (reason instanceof StopRequest) return reason.stopCause;
  return isTimeout(reason) ? 'timed-out' : 'cancelled';
}

/** Whether this is the reason of AbortSignal.timeout(); by name, because a DOMException may come from another realm. */
function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
