/** Two workflows that Schedules start again and again: one makes lost webhooks harmless, one watches our other workflows. */
export { reconcile } from './reconcile.ts';
export { watch } from './watch.ts';
