export * from './describe-destination.ts';
export * from './fresh-destination.ts';
export * from './notification-of.ts';
export type * from './record.ts';
export * from './topics.ts';
