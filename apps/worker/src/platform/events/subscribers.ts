/** Who hears of what happens. */
import type { Audit } from '@nereid/audit';
import type { NotificationLinks } from '@nereid/domain/notification';
import type { Outbox } from '@nereid/storage';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createLogSubscriber } from './log-subscriber.ts';
import { createMetricsSubscriber } from './metrics-subscriber.ts';
import { createOutboxSubscriber } from './outbox-subscriber.ts';
import type { Subscribers } from './publish.ts';
import { createTraceSubscriber, type TraceTools } from './trace-subscriber.ts';
import { createTrailSubscriber } from './trail-subscriber.ts';

export interface SubscriberTools {
  /** Undefined on a host alone. */
  readonly audit: Pick<Audit, 'record'> | undefined;
  readonly notifications: NotificationTools | undefined;
  /** Undefined where nothing is traced. */
  readonly traces: TraceTools | undefined;
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface NotificationTools {
  readonly outbox: Pick<Outbox, 'keep'>;
  readonly pages: NotificationLinks;
  readonly onKept: () => void;
}

interface FlushedSubscribers extends Subscribers {
  /** Before the end of the process, when nothing is published any more. */
  flush(): Promise<void>;
}

export function createSubscribers({
  audit,
  notifications,
  traces,
  config,
  logger,
  metrics,
}: SubscriberTools): FlushedSubscribers {
  const { server } = config;
  // Nothing is applied then before its `RUNNING` event is stored.
  const auditRequired = server.current().audit.required;
  const outbox = notifications && createOutboxSubscriber({ ...notifications, server, logger });
  return {
    waitedFor: [createTrailSubscriber({ audit, auditRequired, logger }), ...(outbox ? [outbox.hear] : [])],
    others: [
      createLogSubscriber(logger),
      createMetricsSubscriber(metrics),
      ...(traces ? [createTraceSubscriber(traces)] : []),
    ],
    flush: async () => outbox?.flush(),
  };
}
