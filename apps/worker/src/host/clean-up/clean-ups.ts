/**
 * How a deployment leaves this host.
 *
 * - Never while it is at work, be it an activity of ours or a command that still runs.
 * - One clean-up at a time: two that give back the same tree would let two deployments take it.
 * - New work begins after a running clean-up, not beside it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { retryBriefly } from '../job/retry-briefly.ts';
import { assertNothingRuns } from './left-over.ts';
import type { HostContext, HostTools } from '../job/tools.ts';

/** The parts of the host's tools that a clean-up needs. */
export interface CleanUpTools extends Pick<HostTools, 'memory'> {
  readonly context: Pick<HostContext, 'logger'> & {
    readonly config: Pick<HostContext['config'], 'workDir'>;
    readonly mirrors: Pick<HostContext['mirrors'], 'release'>;
    readonly keptPlans: Pick<HostContext['keptPlans'], 'remove'>;
  };
}

export interface CleanUps {
  /** Does work of a deployment after any running clean-up. No other clean-up begins before the work has ended. */
  keptFrom<T>(deploymentId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Forgets the deployment and gives its tree back, after `lastLook`. If that fails, everything stays. Throws, retryably,
   * while the deployment is at work here.
   */
  cleanUp(deploymentId: string, lastLook?: () => Promise<void>): Promise<void>;
  /** The same in the background, for a deployment that ended: this plan goes too, and failures are logged. */
  cleanUpAfterwards(deploymentId: string, plan: PlanLeft): void;
  /** Resolves when no clean-up runs in the background any more, or when one takes too long. */
  settled(): Promise<void>;
}

/** The deployment under which the plan is kept; `none` for a plan that is to stay. */
export type PlanLeft = { readonly keptBy: string } | 'none';

/** A tree is given back within a second, and a store that is away is retried for eight seconds. */
const SETTLED_WITHIN_MS = 30_000;

export function createCleanUps({ context, memory }: CleanUpTools): CleanUps {
  /** How many activities of a deployment are at work. */
  const working = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const afterwards = new Set<Promise<void>>();

  const cleanUps: CleanUps = {
    async keptFrom(deploymentId, work) {
      working.set(deploymentId, (working.get(deploymentId) ?? 0) + 1);
      try {
        // The caller of the clean-up hears of its failure.
        await running.get(deploymentId)?.catch(() => undefined);
        return await work();
      } finally {
        const left = (working.get(deploymentId) ?? 0) - 1;
        if (left > 0) working.set(deploymentId, left);
        else working.delete(deploymentId);
      }
    },
    cleanUp(deploymentId, lastLook) {
      const cleaning =
        running.get(deploymentId) ?? leave(deploymentId, lastLook).finally(() => running.delete(deploymentId));
      running.set(deploymentId, cleaning);
      return cleaning;
    },
    cleanUpAfterwards(deploymentId, plan) {
      const ended = nextTurn()
        .then(() => forgetWholly(deploymentId, plan))
        .finally(() => afterwards.delete(ended));
      afterwards.add(ended);
    },
    async settled() {
      await Promise.race([Promise.all(afterwards), delay(SETTLED_WITHIN_MS, undefined, { ref: false })]);
    },
  };
  return cleanUps;

  async function leave(deploymentId: string, lastLook?: () => Promise<void>): Promise<void> {
    if (working.has(deploymentId))
      throw ApplicationFailure.retryable(`deployment ${deploymentId} is at work`, 'STILL_RUNNING');
    await assertNothingRuns(context.config.workDir, deploymentId);
    await lastLook?.();
    memory.delete(deploymentId);
    await context.mirrors.release(deploymentId);
  }

  async function forgetWholly(deploymentId: string, plan: PlanLeft): Promise<void> {
    const plans = plan === 'none' ? [] : [...new Set([deploymentId, plan.keptBy])];
    const removing = plans.map((id) => retryBriefly(() => context.keptPlans.remove(id)));
    const parts = [cleanUps.cleanUp(deploymentId), ...removing];
    for (const part of await Promise.allSettled(parts)) {
      if (part.status === 'fulfilled') continue;
      context.logger.error(
        { err: part.reason as unknown, deployment: deploymentId },
        'a deployment could not be cleaned up',
      );
    }
  }
}

/** Lets the caller hand over its answer first. */
async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
