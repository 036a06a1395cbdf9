import type { WorkerContext } from '../context.ts';

/** One attempt at one event. */
export interface IntakeCall {
  readonly context: WorkerContext;
  /** `X-GitHub-Delivery`: what makes the attempts at one event the same. */
  readonly delivery: string;
  /** When the event was handed to us, in milliseconds since 1970; the same for every attempt. */
  readonly receivedAtMs: number;
  /** Counted from 1. After the first, everything may have happened already. */
  readonly attempt: number;
  /** Aborted when the activity is cancelled or the worker stops. */
  readonly signal: AbortSignal;
}
