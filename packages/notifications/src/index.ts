/** Destinations of notifications: each kind is one file that makes a message of a notification and sends it. */
export { RETRY_AFTER_LIMIT_MS, type Answer, type Digest, type SendContext, type Sender } from './answer.ts';
export { openDestination } from './open-destination.ts';
