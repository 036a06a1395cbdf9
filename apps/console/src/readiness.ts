import type { Readiness } from '@nereid/process';
import type { Context } from './context.ts';

/**
 * Says whether pages may be asked for. Without Temporal they show the stored state, which is better than no page at all, so a
 * load balancer must not remove the console.
 */
export async function readinessOf({ stopping, isTemporalReachable }: Context): Promise<Readiness> {
  if (stopping.signal.aborted) return { isReady: false, message: 'not ready: stopping' };
  if (await isTemporalReachable()) return { isReady: true, message: 'ready' };
  return { isReady: true, message: 'ready, but Temporal does not answer: only the stored state is shown' };
}
