import type { WorkerContext } from '../platform/context.ts';
import { keepDelivering } from './keep-delivering.ts';

/** Delivers until the returned function stops it. */
export function deliverNotifications(
  context: Pick<WorkerContext, 'outbox' | 'server' | 'logger' | 'metrics' | 'hostId' | 'notifications'>,
): () => Promise<void> {
  const { hostId: workerId, metrics, notifications } = context;
  const delivering = keepDelivering({ ...context, ...metrics.notifications, workerId });
  const look = () => {
    delivering.look();
  };
  notifications.on('kept', look);
  return async () => {
    notifications.off('kept', look);
    await delivering.close();
  };
}
