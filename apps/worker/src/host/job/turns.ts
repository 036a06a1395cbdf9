/**
 * One work at a time for each deployment: a second one would change the tree and the plan that the first one has verified.
 * Temporal asks for the next work before the last one has ended when it took this worker for lost, or when somebody else asks.
 */
import { ApplicationFailure } from '@temporalio/common';

export interface Turns {
  /**
   * Does the work once no other one of these deployments is under way: its own, and the one in whose folder it works, which
   * works in no other's. Throws, retryably, when that takes too long.
   */
  run<T>(deploymentIds: readonly string[], wait: TurnWait, work: () => Promise<T>): Promise<T>;
}

export interface TurnWait {
  readonly signal: AbortSignal;
  readonly waitMs: number;
}

export function createTurns(): Turns {
  /** Each resolves when that work is over. */
  const underWay = new Map<string, Promise<undefined>>();

  /** Returns the function that ends the turn. */
  async function begin(deploymentId: string, waited: AbortSignal): Promise<() => void> {
    for (let other = underWay.get(deploymentId); other; other = underWay.get(deploymentId)) {
      await Promise.race([other, aborted(waited)]);
      if (waited.aborted) throw declined(deploymentId);
    }
    const { promise, resolve } = Promise.withResolvers<undefined>();
    underWay.set(deploymentId, promise);
    return () => {
      underWay.delete(deploymentId);
      resolve(undefined);
    };
  }

  return {
    async run(deploymentIds, { signal, waitMs }, work) {
      const waited = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      const ends: (() => void)[] = [];
      try {
        for (const deploymentId of new Set(deploymentIds)) ends.push(await begin(deploymentId, waited));
        return await work();
      } finally {
        for (const end of ends) end();
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function declined(deploymentId: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: `expected no other work of deployment ${deploymentId} on this host, found that one goes on: it is tried again`,
    type: 'HOST_DECLINED',
  });
}
