import type { Readiness, TemporalProbe } from '@nereid/process';

export interface ReadinessSources {
  /** Aborted when the console stops. */
  readonly stopping: AbortController;
  readonly isTemporalReachable: TemporalProbe;
}

/**
 * Says whether pages may be asked for. Without Temporal they show the stored state, which is better than no page at all, so a
 * load balancer must not remove the console.
 */
export async function readinessOf({ stopping, isTemporalReachable }: ReadinessSources): Promise<Readiness> {
  if (stopping.signal.aborted) return { isReady: false, message: 'not ready: stopping' };
  if (await isTemporalReachable()) return { isReady: true, message: 'ready' };
  return { isReady: true, message: 'ready, but Temporal does not answer: only the stored state is shown' };
}
