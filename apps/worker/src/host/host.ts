/** This worker as a host: it offers slots, and its own queue runs the activities that touch its disk. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { HostActivities } from '@nereid/domain/activities';
import type {
  ApplyOutcome,
  ForceUnlockHostActivities,
  ForceUnlocked,
  HostJob,
  PlanOutcome,
  WaveChecked,
  WaveCheckHostActivities,
} from '@nereid/domain/deployment';
import { isUuid, type AtWork } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { STOP_PATIENCE, StopRequest } from '@nereid/subprocess';
import { withFailures } from '../platform/failures/failures.ts';
import type { OpenedJob } from '../platform/tokens/opened-job.ts';
import { applyOnHost } from './apply/apply-on-host.ts';
import { createApplies } from './apply/applies.ts';
import { endApply } from './outcome/begin-apply.ts';
import { createCleanUps, type PlanLeft } from './clean-up/clean-ups.ts';
import { inspectApply } from './apply/inspect-apply.ts';
import { createJanitor } from './clean-up/janitor.ts';
import type { EndedDeployments } from './outcome/ended-deployments.ts';
import { createOutcomes } from './outcome/outcomes.ts';
import { planOnHost } from './plan/plan-on-host.ts';
import { createShutdownSignal } from './clean-up/shutdown-signal.ts';
import { beginOnSlot } from './slots/begin-on-slot.ts';
import { createClaimServices, type ClaimServices } from './claim/claim-queue.ts';
import { countLeftOverRuns } from './slots/left-over-runs.ts';
import { createSlots, type EndWork, type Slots } from './slots/slots.ts';
import { isAnswerAwaited, withSteps, type OnStep, type StoppedBy, type Steps } from './job/step.ts';
import { createStops } from './job/stops.ts';
import { createHostTools, type HostContext } from './job/tools.ts';
import { createTurns } from './job/turns.ts';
import { plannerOf } from './job/workspace.ts';
import { checkOnHost } from './check/check-on-host.ts';
import { openApply, openForceUnlock, openGo, openJob, openWaveCheck } from './job/order/open-job.ts';
import { forceUnlockOnHost } from './unlock/force-unlock-on-host.ts';

export interface Host {
  readonly hostId: string;
  readonly slots: Slots;
  /** For the two queues of claims. */
  readonly claims: ClaimServices;
  readonly hostActivities: HostActivities & ForceUnlockHostActivities & WaveCheckHostActivities;
  /** Await it before claims are served: commands that a former worker left running take slots until they end. */
  resume(): Promise<void>;
  /** Takes no more claims, and stops work that takes too long within the worker's grace period. */
  drain(): void;
  /** Removes the files of ended deployments, after it has reported their late outcomes. Returns the deployments. */
  tidy(ended: EndedDeployments): Promise<readonly string[]>;
  /** Resolves when no clean-up runs in the background any more, or after half a minute. */
  settled(): Promise<void>;
}

/** On two cores four runs were fastest: Terraform waits for the network more than it computes. */
const SLOTS_PER_CORE = 2;

/** The host that planned is asked first to apply; a short wait there beats preparing on another host. */
const APPLY_WAIT_MS = 5_000;

/** A plan whose answer nobody awaits any more is interrupted, and ends within the patience for that. */
const PLAN_WAIT_MS = STOP_PATIENCE.afterSigintMs + STOP_PATIENCE.afterSecondSigintMs + 10_000;

type Outcome = PlanOutcome | ApplyOutcome | Signed<ForceUnlocked> | Signed<WaveChecked>;

interface Work {
  readonly stoppedBy: StoppedBy;
  /** How long it waits for other work of the deployment; absent for work that goes on beside it. */
  readonly turnMs?: number;
  /** The deployment in whose folder it works; default: its own. */
  readonly folderOf?: string;
  /** Stops it when somebody else gets its slot. */
  readonly interrupted?: AbortSignal;
  /** Nothing comes after it, whatever its outcome. */
  readonly isLast?: boolean;
  /** What is kept of its plan when nothing comes after it. */
  readonly plan: PlanLeft;
  /** What its heartbeats say. */
  readonly atWork?: AtWork;
  /** Takes the slot for the work, and returns the function that ends it. */
  readonly begin: (steps: Steps) => EndWork | Promise<EndWork>;
}

/** `onStep` hears of each step of a job that is over. */
export function createHost(context: HostContext, onStep?: OnStep): Host {
  const slots = createSlots(() => slotsOf(context).total, { previews: () => slotsOf(context).previews });
  const tools = createHostTools(context);
  const cleanUps = createCleanUps(tools);
  const outcomes = createOutcomes(join(context.config.dataDir, 'outcomes'), context.logger);
  const applies = createApplies(outcomes);
  const turns = createTurns();
  const stops = createStops();
  const shutdown = createShutdownSignal(context.config.grace.hostMs);
  // The janitor's inspections need no stop signal: it inspects only deployments that have ended.
  const unstopped: Steps = { signal: new AbortController().signal, at: () => undefined };
  const janitor = createJanitor({
    context,
    cleanUps,
    inspect: async (job) => {
      return inspect(await openJob(context, 'apply', job), unstopped);
    },
  });
  const { hostId } = context;

  /** Does work of a deployment. If the outcome ends the deployment, it is cleaned up in the background. */
  async function work<T extends Outcome>(
    deploymentId: string,
    { stoppedBy, turnMs, folderOf = deploymentId, interrupted, isLast = false, plan, atWork, begin }: Work,
    does: (steps: Steps) => Promise<T>,
  ): Promise<T> {
    const doing = async (steps: Steps) => {
      const end = await begin(steps);
      try {
        const wait = { signal: steps.signal, waitMs: turnMs ?? 0 };
        const inTurn = () => turns.run([deploymentId, folderOf], wait, () => does(steps));
        return await cleanUps.keptFrom(deploymentId, turnMs === undefined ? () => does(steps) : inTurn);
      } finally {
        end();
      }
    };
    const outcome = await stops.run(deploymentId, (asked) => {
      const stopped = AbortSignal.any([shutdown.signal, asked, ...(interrupted ? [interrupted] : [])]);
      return withSteps(stoppedBy, stopped, doing, { onStep, atWork });
    });
    if ((isLast || endsDeployment(outcome)) && isAnswerAwaited()) cleanUps.cleanUpAfterwards(deploymentId, plan);
    return outcome;
  }

  function plan(job: OpenedJob, atWork: AtWork): Promise<PlanOutcome> {
    const { deploymentId, preview } = job;
    const isLast = preview !== undefined;
    const stop = new AbortController();
    const interrupt = () => stop.abort(new StopRequest('slot-needed'));
    const begin = (steps: Steps) => beginOnSlot(slots, deploymentId, steps, isLast ? { interrupt } : {});
    const left = preview?.forMerge ? 'none' : { keptBy: deploymentId };
    const interrupted = stop.signal;
    const how = {
      stoppedBy: 'everything',
      turnMs: PLAN_WAIT_MS,
      interrupted,
      isLast,
      plan: left,
      atWork,
      begin,
    } as const;
    return work(deploymentId, how, (steps) => planOnHost(tools, job, steps));
  }

  /** Does what deploys nothing: its files go with its answer. The same order, sent again, is done again. */
  function workAlone<T extends Outcome>(id: string, does: (steps: Steps) => Promise<T>): Promise<T> {
    const begin = (steps: Steps) => beginOnSlot(slots, id, steps);
    return work(id, { stoppedBy: 'everything', turnMs: PLAN_WAIT_MS, isLast: true, plan: 'none', begin }, does);
  }

  const open = (job: HostJob) => openJob(context, 'plan', job);
  const { deployment, preview } = createClaimServices({ ...context, slots, open, plan });

  async function inspect(job: OpenedJob, steps: Steps): Promise<ApplyOutcome> {
    const { jobId } = job;
    const known = await applies.outcomeOf(jobId, steps);
    const outcome = known ?? (await applies.run(jobId, steps, (own) => inspectApply(tools, job, own)));
    // An apply that began meanwhile knows better.
    const latest = (await applies.outcomeOf(jobId, steps)) ?? outcome;
    await endApply(tools, job, latest);
    return latest;
  }

  /** The slot that was claimed for a job that is refused is free at once. */
  async function verified<T>(deploymentId: string, verifying: Promise<T>): Promise<T> {
    try {
      return await verifying;
    } catch (error) {
      slots.release(deploymentId);
      throw error;
    }
  }

  return {
    hostId,
    slots,
    claims: {
      deployment: { ...deployment, activities: withFailures(deployment.activities) },
      preview: { ...preview, activities: withFailures(preview.activities) },
    },
    hostActivities: withFailures({
      async applyOnHost(asked) {
        const deploymentId = asked.order.body.id;
        const job = await verified(deploymentId, openGo(context, asked));
        const begin = (steps: Steps) => beginOnSlot(slots, deploymentId, steps, { waitMs: APPLY_WAIT_MS });
        const planner = plannerOf(job);
        const plan = { keptBy: planner };
        const how = { stoppedBy: 'asked', turnMs: APPLY_WAIT_MS, folderOf: planner, plan, begin } as const;
        return work(deploymentId, how, (steps) => applies.run(job.jobId, steps, (own) => applyOnHost(tools, job, own)));
      },
      async inspectApply(asked) {
        const job = await openApply(context, asked);
        // The apply that it follows runs whether or not there is a slot, and has its turn.
        const begin = () => slots.countRunning(job.deploymentId);
        const how = { stoppedBy: 'asked', plan: { keptBy: plannerOf(job) }, begin } as const;
        return work(job.deploymentId, how, (steps) => inspect(job, steps));
      },
      async forceUnlockOnHost(order) {
        const job = await verified(order.body.id, openForceUnlock(context, order));
        return workAlone(job.deploymentId, (steps) => forceUnlockOnHost(tools, job, steps));
      },
      async checkOnHost(order) {
        const job = await verified(order.body.id, openWaveCheck(context, order));
        return workAlone(job.deploymentId, (steps) => checkOnHost(tools, job, steps));
      },
      stopOnHost(deploymentId) {
        stops.stop(deploymentId);
        return Promise.resolve();
      },
      async cleanUpHost(deploymentId) {
        // Anybody can ask, and other names in the work folder are those of the host's own folders.
        if (!isUuid(deploymentId))
          throw context.signatures.forged('order/deploy', 'an id that is not a UUID', deploymentId);
        await cleanUps.cleanUp(deploymentId);
        slots.release(deploymentId);
      },
    } satisfies HostActivities & ForceUnlockHostActivities & WaveCheckHostActivities),
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

function slotsOf({ server }: HostContext): { readonly total: number; readonly previews: number } {
  const { parallelRuns, parallelPlans } = server.current().terraform;
  const total = parallelRuns ?? SLOTS_PER_CORE * availableParallelism();
  return { total, previews: parallelPlans ?? Math.max(1, Math.floor(total / 2)) };
}

/** The files of other outcomes are still needed, for instance when a plan is unusable or an apply's outcome is unknown. */
function endsDeployment(outcome: Outcome): boolean {
  return 'kind' in outcome && (outcome.kind === 'applied' || outcome.kind === 'failed');
}
