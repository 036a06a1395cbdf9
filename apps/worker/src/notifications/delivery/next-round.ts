import { firstDueAt, heldBackUntil, type Destination } from '@nereid/config';
import type { Waiting } from '@nereid/storage';
import type { DeliverTools } from './turn.ts';

/** Another worker is at it, or has just been killed. */
export const HELD_MS = 5_000;

/** Notifications that other workers have kept are delivered after that time, unless they do it themselves. */
export const IDLE_MS = 60_000;

/** How long the oldest notification has been due. One that is held back is not. */
export function measureOldest(
  destination: Destination,
  oldest: Waiting | undefined,
  { onOldest, now }: Pick<DeliverTools, 'onOldest' | 'now'>,
): void {
  const isDue = oldest !== undefined && heldBackUntil(destination, oldest.arrivedMs, now()) === undefined;
  const dueMs = isDue ? now() - firstDueAt(destination, oldest.arrivedMs) : 0;
  onOldest(destination.name, Math.max(dueMs, 0));
}
