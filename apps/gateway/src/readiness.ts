import type { Readiness } from '@nereid/process';
import type { Context } from './context.ts';

/** Ready means that webhooks may be sent to this process. */
export async function readinessOf({ stopping, isTemporalReachable }: Context): Promise<Readiness> {
  if (stopping.signal.aborted) return { isReady: false, message: 'not ready: stopping' };
  if (await isTemporalReachable()) return { isReady: true, message: 'ready' };
  return { isReady: false, message: 'not ready: Temporal does not answer' };
}
