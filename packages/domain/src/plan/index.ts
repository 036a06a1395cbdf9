export type * from './break-glass.ts';
export * from './carried-review.ts';
export * from './merge-review.ts';
export * from './model.ts';
export * from './other-state.ts';
export * from './review.ts';
export * from './summary.ts';
export * from './policy.ts';
export type * from './record.ts';
