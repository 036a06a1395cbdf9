/** Counts what happened. */
import type { Metrics } from '../metrics/metrics.ts';
import type { Subscriber } from './publish.ts';

export function createMetricsSubscriber(
  metrics: Pick<Metrics, 'forged' | 'onIntake' | 'onDeploymentEnded'>,
): Subscriber {
  return (event) => {
    switch (event.kind) {
      case 'ended':
        if (!event.isRepeated) metrics.onDeploymentEnded(event);
        return;
      case 'received':
        metrics.onIntake({ event: event.event.kind, outcome: event.result.kind, receivedAt: event.receivedAt });
        return;
      case 'forged':
        metrics.forged.inc({ kind: event.fact.forged });
        return;
      default:
    }
  };
}
