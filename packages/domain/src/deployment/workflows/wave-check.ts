/**
 * A check of a wave that is a command. Control orders it, a host runs it in a root that the wave deployed, and control reads what came
 * of it. Each believes the other by a signature.
 */
import type { Failure } from '../../host/failure.ts';
import type { Signed } from '../../signed.ts';
import type { Order } from '../order.ts';

/** Signed by control: the rest is as for a deployment that plans and applies nothing. */
export interface WaveCheckOrder extends Order {
  readonly checking: WaveChecking;
}

export interface WaveChecking {
  /** The id of the `Rollout`. */
  readonly rollout: string;
  /** From 1. */
  readonly wave: number;
  /** The name of the check. */
  readonly check: string;
  /** For a shell. From the server's file. */
  readonly run: string;
  /** For the command, and the steps of the root before it. */
  readonly timeoutMs: number;
  /** ISO 8601. */
  readonly askedAt: string;
  /** ISO 8601; minutes after it was asked. */
  readonly expiresAt: string;
}

/** Signed by a host: what came of that order. */
export interface WaveChecked {
  readonly version: 1;
  /** Of the order. */
  readonly waveCheckId: string;
  /** Control's signature of the order. */
  readonly order: string;
  /** Present when the command, or a step before it, failed. */
  readonly failure?: Failure;
}

/** The result of the workflow. `unheard`: no host reported an outcome in time. `no slot`: no host took it. */
export interface WaveCheckEnd {
  readonly order: Signed<WaveCheckOrder>;
  readonly outcome: Signed<WaveChecked> | 'unheard' | 'no slot';
}

/** On a host's own queue. */
export interface WaveCheckHostActivities {
  /** Prepares the root as for a plan, and runs the command. Throws `FORGED` or `ORDER_EXPIRED`. */
  checkOnHost(order: Signed<WaveCheckOrder>): Promise<Signed<WaveChecked>>;
}

/** `wave-check/<id>`: the workflow that has a host run a check; `id`: the same for all runs of one check of a wave. */
export function waveCheckWorkflowId(id: string): string {
  return `wave-check/${id}`;
}
