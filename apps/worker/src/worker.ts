import { reloadOnHangup } from '@nereid/config';
import type { WorkerConfig } from './config.ts';
import type { WorkerContext } from './context.ts';
import { createReadiness } from './health/readiness.ts';
import { healthListener } from './health/health-listener.ts';
import { listen, type Listener } from './health/listener.ts';
import { metricsListener } from './metrics/metrics-listener.ts';
import { installRuntime } from './temporal/install-runtime.ts';
import { openWorkers } from './workers.ts';

export interface RunningWorker {
  /** `host:port` as they really are. */
  readonly address: string;
  readonly metricsAddress: string | undefined;
  /** Answers why, if a worker stops that nobody asked to. */
  readonly broken: Promise<unknown>;
  /** Declines new work, finishes or stops what runs within the grace, lets go of everything. */
  close(): Promise<void>;
}

/** Answers once tasks are taken, which may be a while after `/healthz` answers: Temporal may start later than we do. */
export async function openWorker(config: WorkerConfig, context: WorkerContext): Promise<RunningWorker> {
  const { metricsUrl } = installRuntime(context.logger, { isMeasured: config.metricsAddress !== undefined });
  const readiness = createReadiness();
  const health = await listen(healthListener(readiness), config.address, 'WORKER_ADDRESS');
  const metrics = await listenForMetrics(config, context, metricsUrl);
  const workers = await openWorkers(config, context);
  const stopReloading = reloadOnHangup(config.server, (reloaded) => {
    if (reloaded.kind === 'reloaded') {
      context.logger.info('configuration reloaded');
      workers.reloaded();
    } else context.logger.error({ problems: reloaded.problems }, 'configuration broken, the old one stays in force');
  });
  readiness.set('ready');

  return {
    address: health.address,
    metricsAddress: metrics?.address,
    broken: workers.broken,
    close: async () => {
      readiness.set('stopping');
      stopReloading();
      await workers.close();
      await context.close();
      await Promise.all([health.close(), metrics?.close()]);
    },
  };
}

async function listenForMetrics(
  { metricsAddress }: WorkerConfig,
  { metrics, logger }: WorkerContext,
  sdkMetricsUrl: string | undefined,
): Promise<Listener | undefined> {
  if (!metricsAddress || sdkMetricsUrl === undefined) return undefined;
  const listener = metricsListener({ registry: metrics.registry, sdkMetricsUrl, logger });
  return listen(listener, metricsAddress, 'METRICS_ADDRESS');
}
