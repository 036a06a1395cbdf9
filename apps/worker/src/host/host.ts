/** This worker as a host: it offers slots, and runs on its own queue what touches its disk. */
import { ApplicationFailure } from '@temporalio/common';
import { availableParallelism } from 'node:os';
import type { ClaimActivities, HostActivities } from '@nereid/contracts';
import { withFailures } from '../failures.ts';
import type { WorkerContext } from '../context.ts';
import { applyOnHost } from './apply-on-host.ts';
import { assertNothingRuns } from './left-over.ts';
import { planOnHost } from './plan-on-host.ts';
import { createSlots, type Slots } from './slots.ts';
import { withSteps } from './step.ts';
import { createHostTools } from './tools.ts';

export interface Host {
  readonly hostId: string;
  readonly slots: Slots;
  readonly claimActivities: ClaimActivities;
  readonly hostActivities: HostActivities;
  /** Takes no more claims. */
  drain(): void;
}

/** On two cores four runs were fastest: Terraform waits for the network more than it computes. */
const SLOTS_PER_CORE = 2;

/** Less than the claim's own timeout, so that a full host says so itself and the next one is asked. */
const CLAIM_WAIT_MS = 8_000;

/** The host that planned is asked first for the apply; a short queue there beats preparing elsewhere. */
const APPLY_WAIT_MS = 5_000;

export function createHost(context: WorkerContext): Host {
  const slots = createSlots(
    () => context.server.current().terraform.parallelRuns ?? SLOTS_PER_CORE * availableParallelism(),
  );
  const tools = createHostTools(context);
  const { hostId } = context;

  return {
    hostId,
    slots,
    claimActivities: withFailures({
      async claimHost(deploymentId) {
        await takeSlot(slots, deploymentId, CLAIM_WAIT_MS);
        return { hostId };
      },
    } satisfies ClaimActivities),
    hostActivities: withFailures({
      async planOnHost(job) {
        return onSlot(slots, job.deploymentId, () => withSteps('everything', (steps) => planOnHost(tools, job, steps)));
      },
      async applyOnHost(job) {
        await takeSlot(slots, job.deploymentId, APPLY_WAIT_MS);
        return onSlot(slots, job.deploymentId, () => withSteps('asked', (steps) => applyOnHost(tools, job, steps)));
      },
      async cleanUpHost(deploymentId) {
        await assertNothingRuns(context, deploymentId);
        tools.memory.delete(deploymentId);
        slots.release(deploymentId);
        await context.mirrors.release(deploymentId);
      },
    } satisfies HostActivities),
    drain: () => {
      slots.drain();
    },
  };
}

async function takeSlot(slots: Slots, deploymentId: string, waitMs: number): Promise<void> {
  if (await slots.take(deploymentId, waitMs)) return;
  const { total, used, draining } = slots.usage();
  const why = draining ? 'the host is draining' : `${used} of ${total} slots are in use`;
  throw ApplicationFailure.retryable(why, 'HOST_DECLINED');
}

async function onSlot<T>(slots: Slots, deploymentId: string, work: () => Promise<T>): Promise<T> {
  slots.use(deploymentId);
  try {
    return await work();
  } finally {
    slots.release(deploymentId);
  }
}
