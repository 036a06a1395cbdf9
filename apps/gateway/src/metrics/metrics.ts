import { Counter, Histogram, Registry } from 'prom-client';
import { KNOWN_EVENTS, OTHER_EVENT } from '../events/read-event.ts';
import { OUTCOMES } from '../webhook/answer.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly webhooks: Counter<'event' | 'outcome'>;
  /** Seconds. */
  readonly handOver: Histogram;
}

/** A hand-over takes milliseconds; the last bucket is its deadline. */
const HAND_OVER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    webhooks: countWebhooks(registry),
    handOver: new Histogram({
      name: 'nereid_hand_over_seconds',
      help: "From a verified webhook to Temporal's response.",
      buckets: HAND_OVER_BUCKETS,
      registers: [registry],
    }),
  };
}

function countWebhooks(registry: Registry): Metrics['webhooks'] {
  const webhooks = new Counter({
    name: 'nereid_webhooks_total',
    help: 'Webhooks by event and outcome.',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it.
  for (const event of [...KNOWN_EVENTS, OTHER_EVENT])
    for (const outcome of OUTCOMES) webhooks.inc({ event, outcome }, 0);
  return webhooks;
}
