import { listen, reloadOnHangup, serveMetrics, type RunningProcess } from '@nereid/process';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './context.ts';

/** Longer than any hand-over to Temporal takes. */
const GRACE_MS = 20_000;

/** A request for metrics is answered at once. */
const METRICS_GRACE_MS = 1_000;

/** GitHub gives up long before; 25 MiB in this time are 1 MiB a second. */
const REQUEST_MS = 25_000;

/** Closing the gateway stops it from taking webhooks, finishes those in flight, and releases everything. */
export async function openGateway(config: GatewayConfig, context: Context): Promise<RunningProcess> {
  const { logger, stopping } = context;
  const metrics = await serveMetrics(config.metricsAddress, context.metrics.registry);
  const limits = { requestMs: REQUEST_MS };
  const webhooks = await listen(createApp(context), config.address, 'GATEWAY_ADDRESS', limits);
  const stopReloading = reloadOnHangup(config.server, logger);
  logger.info({ address: webhooks.address, metrics: metrics?.address }, 'listening');

  return {
    logger,
    close: async () => {
      stopping.abort();
      stopReloading();
      await webhooks.close(GRACE_MS);
      await metrics?.close(METRICS_GRACE_MS);
      await context.close();
    },
  };
}
