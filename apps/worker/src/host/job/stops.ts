/**
 * Stops the work of a deployment at once. Temporal tells an activity of its cancellation with the answer to a heartbeat only,
 * and each heartbeat is paid for.
 */
import { StopRequest } from '@nereid/subprocess';

export interface Stops {
  /** Does work of a deployment, which a stop of the deployment stops. */
  run<T>(deploymentId: string, work: (stopped: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops what the deployment does here at present. */
  stop(deploymentId: string): void;
}

export function createStops(): Stops {
  const running = new Map<string, Set<AbortController>>();
  return {
    async run(deploymentId, work) {
      const own = new AbortController();
      const all = running.get(deploymentId) ?? new Set();
      running.set(deploymentId, all.add(own));
      try {
        return await work(own.signal);
      } finally {
        all.delete(own);
        if (all.size === 0) running.delete(deploymentId);
      }
    },
    stop(deploymentId) {
      for (const one of running.get(deploymentId) ?? []) one.abort(new StopRequest('cancelled'));
    },
  };
}
