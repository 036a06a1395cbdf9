import type { Destination } from '@nereid/config';
import { openDestination } from '@nereid/notifications';
import type { WorkerContext } from '../platform/context.ts';
import { keepDelivering } from './keep-delivering.ts';

/** Delivers until the returned function stops it. */
export function deliverNotifications(
  context: Pick<WorkerContext, 'outbox' | 'server' | 'logger' | 'metrics' | 'hostId' | 'notifications' | 'forge'>,
): () => Promise<void> {
  const { hostId: workerId, metrics, notifications, forge } = context;
  const open = (destination: Destination) => openDestination(destination, undefined, forge);
  const delivering = keepDelivering({ ...context, ...metrics.notifications, workerId, open });
  const deliverNow = () => {
    delivering.deliverNow();
  };
  notifications.on('kept', deliverNow);
  return async () => {
    notifications.off('kept', deliverNow);
    await delivering.close();
  };
}
