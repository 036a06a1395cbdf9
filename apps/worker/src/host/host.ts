/** This worker as a host: it offers slots, and runs on its own queue what touches its disk. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ApplyOutcome, ClaimActivities, HostActivities, HostJob, PlanOutcome } from '@nereid/contracts';
import { withFailures } from '../failures.ts';
import { applyOnHost } from './apply-on-host.ts';
import { createApplies } from './applies.ts';
import { createCleanUps } from './clean-ups.ts';
import { inspectApply } from './inspect-apply.ts';
import { tidy } from './janitor.ts';
import type { EndedDeployments } from './late-outcome/ended-deployments.ts';
import { createOutcomes } from './outcomes.ts';
import { planOnHost } from './plan-on-host.ts';
import { createShutdownSignal } from './shutdown-signal.ts';
import { createClaimActivities, takeSlot } from './slots/claim-queue.ts';
import { countLeftOverRuns } from './slots/left-over-runs.ts';
import { createSlots, type Slots } from './slots/slots.ts';
import { isAnswerAwaited, withSteps, type StoppedBy, type Steps } from './step.ts';
import { createHostTools, type HostContext } from './tools.ts';

export interface Host {
  readonly hostId: string;
  readonly slots: Slots;
  readonly claimActivities: ClaimActivities;
  readonly hostActivities: HostActivities;
  /** To be awaited before claims are served: what a former worker left running takes slots until it ends. */
  resume(): Promise<void>;
  /** Takes no more claims; what runs for too long is stopped within the worker's grace. */
  drain(): void;
  /** Removes what deployments left that are over, once it is told what nobody knew of them. Answers which. */
  tidy(ended: EndedDeployments): Promise<readonly string[]>;
  /** Resolves when nothing is done behind the back of the activities any more, or after half a minute. */
  settled(): Promise<void>;
}

/** On two cores four runs were fastest: Terraform waits for the network more than it computes. */
const SLOTS_PER_CORE = 2;

/** The host that planned is asked first for the apply; a short queue there beats preparing elsewhere. */
const APPLY_WAIT_MS = 5_000;

export function createHost(context: HostContext): Host {
  const slots = createSlots(
    () => context.server.current().terraform.parallelRuns ?? SLOTS_PER_CORE * availableParallelism(),
  );
  const tools = createHostTools(context);
  const cleanUps = createCleanUps(tools);
  const outcomes = createOutcomes(join(context.config.dataDir, 'outcomes'), context.logger);
  const applies = createApplies(outcomes);
  const shutdown = createShutdownSignal(context.config.shutdownGraceMs);
  const { hostId } = context;

  /** Work of a deployment, on its slot. A deployment that it ends is cleaned up without anybody waiting for it. */
  async function work<T extends PlanOutcome | ApplyOutcome>(
    deploymentId: string,
    stoppedBy: StoppedBy,
    does: (steps: Steps) => Promise<T>,
  ): Promise<T> {
    const outcome = await onSlot(slots, deploymentId, () =>
      withSteps(stoppedBy, shutdown.signal, (steps) => cleanUps.keptFrom(deploymentId, () => does(steps))),
    );
    if (endsDeployment(outcome) && isAnswerAwaited()) cleanUps.cleanUpAfterwards(deploymentId);
    return outcome;
  }

  async function inspect(job: HostJob, steps: Steps): Promise<ApplyOutcome> {
    const { jobId } = job;
    const known = await applies.outcomeOf(jobId, steps);
    return known ?? (await applies.run(jobId, steps, (own) => inspectApply(tools, job, own)));
  }

  return {
    hostId,
    slots,
    claimActivities: withFailures(createClaimActivities(slots, hostId)),
    hostActivities: withFailures({
      async planOnHost(job) {
        return work(job.deploymentId, 'everything', (steps) => planOnHost(tools, job, steps));
      },
      async applyOnHost(job) {
        await takeSlot(slots, job.deploymentId, APPLY_WAIT_MS);
        return work(job.deploymentId, 'asked', (steps) =>
          applies.run(job.jobId, steps, (own) => applyOnHost(tools, job, own)),
        );
      },
      async inspectApply(job) {
        return work(job.deploymentId, 'asked', (steps) => inspect(job, steps));
      },
      async cleanUpHost(deploymentId) {
        await cleanUps.cleanUp(deploymentId);
        slots.release(deploymentId);
      },
    } satisfies HostActivities),
    resume: () => countLeftOverRuns({ ...context, slots, workDir: context.config.workDir }),
    drain: () => {
      slots.drain();
      shutdown.begin();
    },
    async tidy(ended) {
      await outcomes.tidy(Date.now());
      // Nobody stops it: the janitor asks for what has ended.
      const steps = { signal: new AbortController().signal, at: () => undefined };
      return tidy({ context, cleanUps, ended, inspect: (job) => inspect(job, steps) });
    },
    settled: () => cleanUps.settled(),
  };
}

/** For good: of a plan that cannot be used, and of an apply whose outcome is unknown, something is still wanted. */
function endsDeployment({ kind }: PlanOutcome | ApplyOutcome): boolean {
  return kind === 'applied' || kind === 'failed';
}

async function onSlot<T>(slots: Slots, deploymentId: string, work: () => Promise<T>): Promise<T> {
  const end = slots.use(deploymentId);
  try {
    return await work();
  } finally {
    end();
  }
}
