import type { WorkerContext } from '../platform/context.ts';
import { keepDelivering } from './keep-delivering.ts';

/** Delivers until the returned function stops it. */
export function deliverNotifications(
  context: Pick<WorkerContext, 'outbox' | 'server' | 'logger' | 'metrics' | 'hostId' | 'notifications'>,
): () => Promise<void> {
  const { hostId: workerId, metrics, notifications } = context;
  const delivering = keepDelivering({ ...context, ...metrics.notifications, workerId });
  const deliverNow = () => {
    delivering.deliverNow();
  };
  notifications.on('kept', deliverNow);
  return async () => {
    notifications.off('kept', deliverNow);
    await delivering.close();
  };
}
