/** Where notifications are kept. No other file builds these keys. */
import { createHash } from 'node:crypto';
import { timeInKey, timeOfName } from '../days/day-keys.ts';

/** `outbox/<destination>/waiting/`: notifications in the order in which they came. */
export function waitingPrefix(destination: string): string {
  return `outbox/${destination}/waiting/`;
}

/** `outbox/<destination>/refused/`: notifications that somebody may have sent again. */
export function refusedPrefix(destination: string): string {
  return `outbox/${destination}/refused/`;
}

export function destinationKey(destination: string): string {
  return `outbox/${destination}/state.json`;
}

/** `<time>-<digest>.json`: sorts by the time at which the notification came; the same id has the same digest. */
export function notificationName(arrived: Date, id: string): string {
  const digest = createHash('sha256').update(id).digest('hex');
  return `${timeInKey(arrived)}-${digest.slice(0, NOTIFICATION_DIGEST_LENGTH)}.json`;
}

/** The inverse of `notificationName`, as far as there is one; undefined for a name that no notification has. */
export function parseNotificationName(
  name: string,
): { readonly arrivedMs: number; readonly digest: string } | undefined {
  const digest = /^\d{8}T\d{9}Z-(?<digest>[0-9a-f]{16})\.json$/.exec(name)?.groups?.['digest'];
  const arrived = timeOfName(name);
  return digest === undefined || arrived === undefined ? undefined : { arrivedMs: Date.parse(arrived), digest };
}

/** Enough for the notifications of a day. */
const NOTIFICATION_DIGEST_LENGTH = 16;
