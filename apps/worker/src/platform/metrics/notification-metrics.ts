import { Counter, Gauge, type Registry } from 'prom-client';

export interface NotificationMetrics {
  /** Counts an attempt to deliver a notification, or one that is dropped. */
  readonly onDelivery: (destination: string, result: DeliveryResult) => void;
  /** In milliseconds; 0 when nothing waits. */
  readonly onOldest: (destination: string, ageMs: number) => void;
}

/** `failed`: it is tried again. `dropped`: too many waited, or for too long. `skipped`: the destination knows as much, or more. */
export type DeliveryResult = 'delivered' | 'failed' | 'refused' | 'dropped' | 'skipped';

/** Destinations are names of the server's file. */
export function measureNotifications(registry: Registry): NotificationMetrics {
  const deliveries = new Counter({
    name: 'nereid_notifications_total',
    help: 'Attempts to deliver a notification, and dropped notifications, by destination and result.',
    labelNames: ['destination', 'result'],
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'nereid_notification_oldest_seconds',
    help: 'How long the oldest notification has been due when this worker looked last, by destination.',
    labelNames: ['destination'],
    registers: [registry],
  });
  return {
    onDelivery: (destination, result) => {
      deliveries.inc({ destination, result });
    },
    onOldest: (destination, ageMs) => {
      oldest.set({ destination }, ageMs / 1_000);
    },
  };
}
