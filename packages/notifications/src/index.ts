/** Destinations of notifications: each kind is one file that makes a message of a notification and sends it. */
export type { Answer, Sender } from './answer.ts';
export { openDestination } from './open-destination.ts';
