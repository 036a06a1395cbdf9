import type { WorkerContext } from '../context.ts';
import type { Presses } from './presses.ts';

/** One attempt at one event. */
export interface IntakeCall {
  readonly context: WorkerContext;
  /** `X-GitHub-Delivery`: what makes the attempts at one event the same. */
  readonly delivery: string;
  /**
   * When this activity was scheduled, in milliseconds since 1970. Its attempts share it, but a button is taken by a
   * local activity first and, where that fails, by a durable one, which is scheduled later.
   */
  readonly receivedAtMs: number;
  /** Counted from 1, for a button by each of its two activities. After the first, everything may have happened already. */
  readonly attempt: number;
  /** Aborted when the activity is cancelled or the worker stops. */
  readonly signal: AbortSignal;
  /** To be told of all that a person asks for and is told. */
  readonly presses: Presses;
}

/** When somebody asked for what an event is about. ISO 8601. */
export function askedAt({ receivedAtMs }: IntakeCall): string {
  return new Date(receivedAtMs).toISOString();
}
