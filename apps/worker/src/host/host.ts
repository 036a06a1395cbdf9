/** This worker as a host: it offers slots, and runs on its own queue what touches its disk. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ApplyOutcome, ClaimActivities, HostActivities, HostJob, PlanOutcome } from '@nereid/contracts';
import { withFailures } from '../failures.ts';
import { applyOnHost } from './apply/apply-on-host.ts';
import { createApplies } from './apply/applies.ts';
import { endApply } from './apply/begin-apply.ts';
import { createCleanUps } from './leave/clean-ups.ts';
import { inspectApply } from './apply/inspect-apply.ts';
import { createJanitor } from './leave/janitor.ts';
import type { EndedDeployments } from './apply/late-outcome/ended-deployments.ts';
import { createOutcomes } from './apply/outcomes.ts';
import { planOnHost } from './plan/plan-on-host.ts';
import { createShutdownSignal } from './leave/shutdown-signal.ts';
import { beginOnSlot } from './claim/begin-on-slot.ts';
import { createClaimActivities } from './claim/claim-queue.ts';
import { countLeftOverRuns } from './claim/left-over-runs.ts';
import { createSlots, type EndWork, type Slots } from './claim/slots.ts';
import { isAnswerAwaited, withSteps, type StoppedBy, type Steps } from './job/step.ts';
import { createHostTools, type HostContext } from './job/tools.ts';

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

interface Work {
  readonly stoppedBy: StoppedBy;
  /** On its slot. */
  readonly begin: (steps: Steps) => EndWork | Promise<EndWork>;
}

export function createHost(context: HostContext): Host {
  const slots = createSlots(
    () => context.server.current().terraform.parallelRuns ?? SLOTS_PER_CORE * availableParallelism(),
  );
  const tools = createHostTools(context);
  const cleanUps = createCleanUps(tools);
  const outcomes = createOutcomes(join(context.config.dataDir, 'outcomes'), context.logger);
  const applies = createApplies(outcomes);
  const shutdown = createShutdownSignal(context.config.shutdownGraceMs);
  // Nobody stops it: the janitor asks for what has ended.
  const unstopped: Steps = { signal: new AbortController().signal, at: () => undefined };
  const janitor = createJanitor({ context, cleanUps, inspect: (job) => inspect(job, unstopped) });
  const { hostId } = context;

  /** A deployment that its work ends is cleaned up without anybody waiting for it. */
  async function work<T extends PlanOutcome | ApplyOutcome>(
    deploymentId: string,
    { stoppedBy, begin }: Work,
    does: (steps: Steps) => Promise<T>,
  ): Promise<T> {
    const outcome = await withSteps(stoppedBy, shutdown.signal, async (steps) => {
      const end = await begin(steps);
      try {
        return await cleanUps.keptFrom(deploymentId, () => does(steps));
      } finally {
        end();
      }
    });
    if (endsDeployment(outcome) && isAnswerAwaited()) cleanUps.cleanUpAfterwards(deploymentId);
    return outcome;
  }

  async function inspect(job: HostJob, steps: Steps): Promise<ApplyOutcome> {
    const { jobId } = job;
    const known = await applies.outcomeOf(jobId, steps);
    const outcome = known ?? (await applies.run(jobId, steps, (own) => inspectApply(tools, job, own)));
    await endApply(context, job, outcome);
    return outcome;
  }

  return {
    hostId,
    slots,
    claimActivities: withFailures(createClaimActivities(slots, hostId)),
    hostActivities: withFailures({
      async planOnHost(job) {
        const begin = (steps: Steps) => beginOnSlot(slots, job.deploymentId, steps);
        return work(job.deploymentId, { stoppedBy: 'everything', begin }, (steps) => planOnHost(tools, job, steps));
      },
      async applyOnHost(job) {
        const begin = (steps: Steps) => beginOnSlot(slots, job.deploymentId, steps, { waitMs: APPLY_WAIT_MS });
        return work(job.deploymentId, { stoppedBy: 'asked', begin }, async (steps) => {
          const outcome = await applies.run(job.jobId, steps, (own) => applyOnHost(tools, job, own));
          await endApply(context, job, outcome);
          return outcome;
        });
      },
      async inspectApply(job) {
        // What it follows runs whether or not there is a slot.
        const begin = () => slots.countRunning(job.deploymentId);
        return work(job.deploymentId, { stoppedBy: 'asked', begin }, (steps) => inspect(job, steps));
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
      return janitor.tidy(ended);
    },
    settled: () => cleanUps.settled(),
  };
}

/** For good: of a plan that cannot be used, and of an apply whose outcome is unknown, something is still wanted. */
function endsDeployment({ kind }: PlanOutcome | ApplyOutcome): boolean {
  return kind === 'applied' || kind === 'failed';
}
