export * from './ask.ts';
export * from './host.ts';
export * from './reconcile.ts';
export * from './retention.ts';
export * from './watch.ts';
