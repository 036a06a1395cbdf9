import { reloadOnHangup } from '@nereid/config';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './context.ts';
import { listen } from './listener.ts';
import { createMetricsApp } from './metrics/metrics-app.ts';

export interface Gateway {
  /** `host:port` as they really are. */
  readonly address: string;
  readonly metricsAddress: string | undefined;
  /** Stops taking webhooks, finishes those in flight, lets go of everything. */
  close(): Promise<void>;
}

/** Longer than any hand-over to Temporal takes. */
const GRACE_MS = 20_000;

/** Metrics are answered at once. */
const METRICS_GRACE_MS = 1_000;

export async function openGateway(config: GatewayConfig, context: Context): Promise<Gateway> {
  const { logger, drain } = context;
  const metrics =
    config.metricsAddress &&
    (await listen(createMetricsApp(context.metrics), config.metricsAddress, 'METRICS_ADDRESS'));
  const webhooks = await listen(createApp(context), config.address, 'GATEWAY_ADDRESS');
  const stopReloading = reloadOnHangup(config.server, (reloaded) => {
    if (reloaded.kind === 'reloaded') logger.info('configuration reloaded');
    else logger.error({ problems: reloaded.problems }, 'configuration broken, the old one stays in force');
  });

  return {
    address: webhooks.address,
    metricsAddress: metrics?.address,
    close: async () => {
      drain.begin();
      stopReloading();
      await webhooks.close(GRACE_MS);
      await metrics?.close(METRICS_GRACE_MS);
      await context.close();
    },
  };
}
