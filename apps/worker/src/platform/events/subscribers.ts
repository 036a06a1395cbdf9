/** Who hears of what happens. */
import type { Audit } from '@nereid/audit';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createLogSubscriber } from './log-subscriber.ts';
import { createMetricsSubscriber } from './metrics-subscriber.ts';
import type { Subscribers } from './publish.ts';
import { createTrailSubscriber } from './trail-subscriber.ts';

export interface SubscriberTools {
  /** Undefined on a host alone. */
  readonly audit: Pick<Audit, 'record'> | undefined;
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export function createSubscribers({ audit, config, logger, metrics }: SubscriberTools): Subscribers {
  // Nothing is applied then before its `RUNNING` event is stored.
  const auditRequired = config.server.current().audit.required;
  return {
    waitedFor: [createTrailSubscriber({ audit, auditRequired, logger })],
    others: [createLogSubscriber(logger), createMetricsSubscriber(metrics)],
  };
}
