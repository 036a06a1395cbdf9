import { listen, serveMetrics, type RunningProcess } from '@nereid/process';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import type { Pace } from './events/watches.ts';
import type { ConsoleConfig } from './platform/config/config.ts';

export interface Console extends RunningProcess {
  /** The actual `host:port`. */
  readonly address: string;
}

/** Longer than any page takes: a page waits for Temporal at most three times, for 2 s each. */
const GRACE_MS = 8_000;

/** A request for metrics is answered at once. */
const METRICS_GRACE_MS = 1_000;

/** Requests have no body; one that takes longer to arrive is an attack on our connections. */
const REQUEST_MS = 10_000;

/** Closing the console ends all streams, finishes the pages in flight and releases everything. `pace` is for tests. */
export async function openConsole(
  { address, metricsAddress }: Pick<ConsoleConfig, 'address' | 'metricsAddress'>,
  context: Context,
  pace?: Pace,
): Promise<Console> {
  const { logger, stopping } = context;
  const metrics = await serveMetrics(metricsAddress, context.metrics.registry);
  const pages = await listen(createApp(context, pace), address, 'CONSOLE_ADDRESS', { requestMs: REQUEST_MS });
  logger.info({ address: pages.address, metrics: metrics?.address }, 'listening');
  return {
    logger,
    address: pages.address,
    close: async () => {
      stopping.abort();
      await pages.close(GRACE_MS);
      await metrics?.close(METRICS_GRACE_MS);
      await context.close();
    },
  };
}
