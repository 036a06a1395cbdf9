export * from './claim.ts';
export * from './failure.ts';
export * from './request.ts';
export * from './job.ts';
export type * from './record.ts';
