/** The Temporal workers that this process runs for its roles. */
import { availableParallelism } from 'node:os';
import { CONTROL_QUEUE, hostQueue, LOOK_QUEUE } from '@nereid/domain/temporal-names';
import { requireTemporal } from '@nereid/process';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from './platform/config/config.ts';
import type { HostOnlyContext, WorkerContext } from './platform/context.ts';
import { keepDiskBudget } from './platform/disk/disk-budget.ts';
import { keepDiagnosis } from './doctor/keep-diagnosis.ts';
import { runningChecks } from './doctor/open-checks.ts';
import { createAskActivities } from './ask-activities.ts';
import { createHost, type Host } from './host/host.ts';
import { HEARTBEAT_MS } from './host/job/step.ts';
import { hostContextOf } from './host/job/tools.ts';
import { createDrainAsAsked } from './host/claim/drain-as-asked.ts';
import { keepHostRecord } from './host/claim/host-record.ts';
import { keepTidy } from './host/clean-up/keep-tidy.ts';
import { claimWorker } from './host/claim/claim-queue.ts';
import { createForceUnlockActivities } from './force-unlock/force-unlock-activities.ts';
import { createIntakeActivities } from './intake/intake-activities.ts';
import { createLaneActivities } from './lane-activities.ts';
import { createLookActivities, createShowActivities } from './pull-request/pull-request-activities.ts';
import { createReconcileActivities } from './reconcile/reconcile-activities.ts';
import { claimNamespace } from './reconcile/claim-namespace.ts';
import { marksOf } from './reconcile/installation-mark.ts';
import { deliverNotifications } from './notifications/deliver-notifications.ts';
import { measureDisk } from './platform/metrics/disk-metrics.ts';
import { measureHost } from './host/slots/host-metrics.ts';
import { measureSteps } from './platform/metrics/step-metrics.ts';
import { readRelease } from './platform/release.ts';
import { keepRouted } from './platform/routing/keep-routed.ts';
import { offerVersion } from './platform/routing/offer-version.ts';
import { awaitShown } from './platform/stop/await-shown.ts';
import { stopInPhases, type RunningWorker } from './platform/stop/stop-in-phases.ts';
import { openLostActivities } from './platform/temporal/lost-activities.ts';
import { createSdkLogger } from './platform/temporal/sdk-logger.ts';
import { waitForTemporal } from './platform/temporal/wait-for-temporal.ts';
import { workflowBundle } from './platform/temporal/workflow-bundle.ts';
import { createRetentionActivities } from './retention/retention-activities.ts';
import { keepChecking } from './rollout/waves/checks/keep-checking.ts';
import { createRolloutActivities } from './rollout/rollout-activities.ts';
import { createWatchActivities } from './watch/watch-activities.ts';

export interface Workers {
  /** Resolves with the reason if a worker stops without being asked to. */
  readonly broken: Promise<unknown>;
  /** Call it after each reload of the server's file, also one that failed: the number of slots, or the diagnosis, may have changed. */
  reloaded(): void;
  /** Declines claims, finishes or stops running jobs within the grace period, and only then stops control. */
  close(): Promise<void>;
}

type QueueOptions = Omit<WorkerOptions, 'connection'>;

/** Waits for Temporal, then takes tasks. `workflows` is the path of a bundle other than the image's. */
export async function openWorkers(
  config: WorkerConfig,
  context: WorkerContext | HostOnlyContext,
  workflows?: string,
): Promise<Workers> {
  // Without the key of the App, the configuration allows no other role than that of a host.
  const control = config.roles.includes('control') && context.forge ? context : undefined;
  const host = config.roles.includes('terraform')
    ? createHost(hostContextOf(context), measureSteps(context.metrics.registry))
    : undefined;
  const { dataDir } = config;
  const lost = openLostActivities({ dataDir, temporal: context.temporal, logger: context.logger });
  if (control) context.discovery.warm();
  if (host) measureHost(context.metrics.registry, host.slots, config.server.current().terraform.sandbox);
  const { grace } = config;
  const { interceptors } = lost;
  const options = (graceMs: number) => ({ ...commonOptions(config), interceptors, shutdownGraceTime: graceMs });
  const ofControl = control ? [await controlQueue(config, control, workflows), lookQueue(control)] : [];
  const ofHost = host ? hostQueues(config, host) : [];
  const queues = {
    control: ofControl.map((own) => ({ ...options(grace.controlMs), ...own })),
    host: ofHost.map((own) => ({ ...options(grace.hostMs), ...own })),
  };

  await host?.resume();
  const drainAsAsked = host && createDrainAsAsked({ ...host, drains: context.drainRecords, logger: context.logger });
  // A host that was drained takes no claim after a restart either.
  await drainAsAsked?.();
  const { connection, workers, buildId } = await waitForTemporal(context.logger, () =>
    createWorkers(config, context, queues),
  );
  await lost.report();
  const runs = { control: workers.control.map(runWorker), host: workers.host.map(runWorker) };
  const stopRouting =
    buildId === undefined
      ? undefined
      : keepRouted({ ...context, buildId, routing: () => config.server.current().workflowRouting });
  const forgetHost =
    host &&
    drainAsAsked &&
    keepHostRecord({
      ...host,
      drainAsAsked,
      pool: config.pool,
      dataDir: config.dataDir,
      release: readRelease(),
      records: context.hostRecords,
      logger: context.logger,
    });
  const stopDelivering = control && deliverNotifications(control);
  const stopChecking = control && keepChecking(control);
  const stopBudget = keepDiskBudget({
    ...context,
    budgetBytes: config.diskBudgetBytes,
    onUse: measureDisk(context.metrics.registry, config),
  });
  const diagnosis = keepDiagnosis({
    hostId: context.hostId,
    roles: config.roles,
    checks: () => runningChecks(config, context.environment),
    diagnoses: context.workerDiagnoses,
    logger: context.logger,
  });
  const stopTidying = host && keepTidy({ host, temporal: context.temporal, logger: context.logger });

  return {
    broken: new Promise((resolve) => {
      for (const { run } of [...runs.control, ...runs.host]) run.catch(resolve);
    }),
    reloaded: () => {
      host?.slots.recount();
      diagnosis.renew();
    },
    close: async () => {
      host?.drain();
      const deployments = host?.slots.holders() ?? [];
      const hostStopped = async () => {
        await host?.settled();
        if (control) await awaitShown(control, deployments, grace.showMs);
      };
      await stopInPhases({ ...runs, hostStopped });
      await stopRouting?.();
      await stopTidying?.();
      await stopDelivering?.();
      await stopChecking?.();
      await stopBudget();
      await forgetHost?.();
      await diagnosis.stop();
      await connection.close();
      lost.close();
    },
  };
}

/**
 * A deployment's messages have a few KB each. Compressing them took a twentieth of the work of Temporal and of a worker, on one
 * machine. Over a slow line, a replay of a long history takes a little longer.
 */
const UNCOMPRESSED = { codec: 'none' } as const;

/** Some ten questions. The client asks again until then, and whoever waits for Temporal begins anew. */
const PREPARATION_MS = 30_000;

/** The roles stop one after the other, so their workers are kept apart. */
type OfRoles<T> = Readonly<Record<'control' | 'host', T>>;

async function createWorkers(
  config: WorkerConfig,
  context: WorkerContext | HostOnlyContext,
  queues: OfRoles<readonly QueueOptions[]>,
) {
  await requireTemporal(config.temporal);
  const { buildId, queues: control } = await context.temporal.withDeadline(Date.now() + PREPARATION_MS, async () => {
    if (queues.control.length > 0 && context.forge) await claimNamespace(context, marksOf(config.signingKeys.orders));
    return offerVersion(context, queues.control);
  });
  const connection = await NativeConnection.connect({ ...config.temporal.server, grpcCompression: UNCOMPRESSED });
  try {
    const create = async (all: readonly QueueOptions[]) => {
      const workers: Worker[] = [];
      for (const options of all) workers.push(await Worker.create({ ...options, connection }));
      return workers;
    };
    return { connection, buildId, workers: { control: await create(control), host: await create(queues.host) } };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function runWorker(worker: Worker): RunningWorker {
  return { worker, run: worker.run() };
}

/** Each role adds its grace: the SDK's default of 0 would cancel every activity at once. */
function commonOptions(config: WorkerConfig) {
  return {
    namespace: config.temporal.namespace,
    dataConverter: config.temporal.dataConverter,
    // A cancellation comes with the answer to a heartbeat.
    maxHeartbeatThrottleInterval: '5s',
    defaultHeartbeatThrottleInterval: '5s',
  } satisfies Partial<QueueOptions>;
}

async function controlQueue(
  config: WorkerConfig,
  context: WorkerContext,
  workflows: string | undefined,
): Promise<QueueOptions> {
  return {
    taskQueue: CONTROL_QUEUE,
    workflowBundle: await workflowBundle(
      { path: workflows, sealsFailures: config.temporal.payloadKeys.seals !== undefined },
      createSdkLogger(context.logger.child({ of: 'bundler' })),
    ),
    activities: {
      ...createAskActivities(config, context),
      ...createForceUnlockActivities(context),
      ...createIntakeActivities(context),
      ...createLaneActivities(context),
      ...createShowActivities(context),
      ...createReconcileActivities(context),
      ...createRetentionActivities(context),
      ...createWatchActivities(context),
      ...createRolloutActivities(context),
    },
    // Sixty check runs of each installation may wait for GitHub's points, and intake needs room beside them.
    maxConcurrentActivityTaskExecutions: 300,
    // A task of intake may wait a second or two for a local activity, while tasks of lanes must go on.
    maxConcurrentWorkflowTaskExecutions: 80,
    maxConcurrentWorkflowTaskPolls: 20,
    // With as many idle lanes, their thread has a heap of 60 MB.
    maxCachedWorkflows: 1_000,
  };
}

/** A look is mostly work for git. More at once would only hold up deployments, whose messages need the same processors. */
const LOOKS_PER_CORE = 2;

function lookQueue(context: WorkerContext): QueueOptions {
  return {
    taskQueue: LOOK_QUEUE,
    activities: createLookActivities(context),
    maxConcurrentActivityTaskExecutions: LOOKS_PER_CORE * availableParallelism(),
  };
}

function hostQueues({ pool }: WorkerConfig, host: Host): readonly QueueOptions[] {
  const { hostId, claims } = host;
  return [
    claimWorker(pool, hostId, claims.deployment),
    claimWorker(pool, hostId, claims.preview),
    {
      taskQueue: hostQueue(hostId),
      activities: host.hostActivities,
      // Slots limit Terraform runs. Activities that wait for a slot or clean up must never wait for a place here.
      maxConcurrentActivityTaskExecutions: 200,
      maxHeartbeatThrottleInterval: HEARTBEAT_MS,
      defaultHeartbeatThrottleInterval: HEARTBEAT_MS,
    },
  ];
}
