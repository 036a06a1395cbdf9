import { STOP_PATIENCE, StopRequest } from '@nereid/subprocess';

/** Tells the work of a host that the host stops. */
export interface ShutdownSignal {
  /** Aborted when it is time to stop work that still runs. */
  readonly signal: AbortSignal;
  /** Starts the grace period. */
  begin(): void;
}

export function createShutdownSignal(graceMs: number): ShutdownSignal {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    begin() {
      setTimeout(() => controller.abort(new StopRequest('host-shutting-down')), stopAfterMs(graceMs)).unref();
    },
  };
}

/** Work is stopped within the grace period, not after it: the last part, at most half, is left for stopping. */
export function stopAfterMs(graceMs: number): number {
  const stoppingMs = STOP_PATIENCE.afterSigintMs + STOP_PATIENCE.afterSecondSigintMs;
  return Math.max(graceMs / 2, graceMs - stoppingMs);
}
