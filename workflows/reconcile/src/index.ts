/** The reconcile workflow: makes lost webhooks and lanes that were ended by force harmless. */
export { reconcile } from './reconcile.ts';
