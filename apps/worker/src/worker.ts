import {
  healthListener,
  listen,
  reloadOnHangup,
  serveMetrics,
  type Readiness,
  type RunningProcess,
} from '@nereid/process';
import type { WorkerConfig } from './platform/config/config.ts';
import type { HostOnlyContext, WorkerContext } from './platform/context.ts';
import { requireUsable } from './doctor/require-usable.ts';
import { probeReachable } from './host/reachable/probe-reachable.ts';
import { targetsOf } from './host/reachable/targets.ts';
import { probeSandbox } from './host/sandbox-probe.ts';
import { readSdkMetrics } from './platform/metrics/sdk-metrics.ts';
import { installRuntime } from './platform/temporal/install-runtime.ts';
import { openWorkers } from './workers.ts';

/** Probes run near the worker: their requests are small and arrive at once. */
const REQUEST_MS = 5_000;

const STARTING: Readiness = { isReady: false, message: 'not ready: waiting for Temporal' };
const READY: Readiness = { isReady: true, message: 'ready' };
const STOPPING: Readiness = { isReady: false, message: 'not ready: stopping' };

/**
 * Resolves once the worker takes tasks. `/healthz` may answer a while before that, because Temporal may start later than the
 * worker. Closing declines new jobs, finishes or stops running ones within the grace period while control goes on, and
 * releases everything. `workflows` is the path of a bundle other than the image's.
 */
export async function openWorker(
  config: WorkerConfig,
  context: WorkerContext | HostOnlyContext,
  workflows?: string,
): Promise<RunningProcess> {
  const { logger } = context;
  if (config.unneeded.length > 0)
    logger.warn(
      { variables: config.unneeded },
      'a worker of these roles does not need these secrets: remove them from it',
    );
  await requireUsable(config, logger);
  if (config.roles.includes('terraform')) {
    await probeSandbox(context);
    await probeReachable(context, targetsOf(config));
  }
  const { metricsUrl } = installRuntime(logger, { isMeasured: config.metricsAddress !== undefined });
  let readiness = STARTING;
  const limits = { requestMs: REQUEST_MS };
  const health = await listen(
    healthListener(() => readiness),
    config.address,
    'WORKER_ADDRESS',
    limits,
  );
  const ofSdk = metricsUrl === undefined ? undefined : () => readSdkMetrics(metricsUrl, logger);
  const metrics = await serveMetrics(config.metricsAddress, context.metrics.registry, ofSdk);
  const workers = await openWorkers(config, context, workflows);
  const stopReloading = reloadOnHangup(config.server, logger, () => {
    workers.reloaded();
  });
  readiness = READY;
  logger.info(
    { address: health.address, metrics: metrics?.address, host: context.hostId, roles: config.roles },
    'working',
  );

  return {
    logger,
    broken: workers.broken,
    close: async () => {
      readiness = STOPPING;
      await workers.close();
      // Control works by the server's file until then, and a SIGHUP that nobody takes ends a process.
      stopReloading();
      await context.close();
      await Promise.all([health.close(0), metrics?.close(0)]);
    },
  };
}
