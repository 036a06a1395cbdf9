import type { Readiness } from '@nereid/process';
import type { Context } from './context.ts';

/**
 * Pages may be asked for. Without Temporal they show what is stored, which is better than no page at all, so a load balancer must
 * not take us away.
 */
export async function readinessOf({ stopping, isTemporalReachable }: Context): Promise<Readiness> {
  if (stopping.signal.aborted) return { isReady: false, message: 'not ready: stopping' };
  if (await isTemporalReachable()) return { isReady: true, message: 'ready' };
  return { isReady: true, message: 'ready, but Temporal does not answer: only what is stored is shown' };
}
