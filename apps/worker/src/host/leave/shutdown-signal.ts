import { STOP_PATIENCE, StopRequest } from '@nereid/subprocess';

/** How the work of a host hears that the host stops. */
export interface ShutdownSignal {
  /** Aborted when it is time to stop what still runs. */
  readonly signal: AbortSignal;
  /** The grace begins. */
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

/** Stopped within the grace, not after it: the last part of it is what stopping may take, at most a half. */
export function stopAfterMs(graceMs: number): number {
  const stoppingMs = STOP_PATIENCE.afterSigintMs + STOP_PATIENCE.afterSecondSigintMs;
  return Math.max(graceMs / 2, graceMs - stoppingMs);
}
