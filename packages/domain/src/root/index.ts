export * from './repository.ts';
export * from './model.ts';
export type * from './record.ts';
