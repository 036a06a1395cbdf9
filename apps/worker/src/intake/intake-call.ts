import type { WorkerContext } from '../context.ts';

/** One attempt at one event. */
export interface IntakeCall {
  readonly context: WorkerContext;
  /** `X-GitHub-Delivery`: what makes the attempts at one event the same. */
  readonly delivery: string;
  /** Aborted when the activity is cancelled or the worker stops. */
  readonly signal: AbortSignal;
  /** Milliseconds since the event was handed to us, earlier attempts included. */
  ageMs(): number;
}
