export * from './claim.ts';
export * from './failure.ts';
export * from './request.ts';
export * from './job.ts';
export * from './why-no-workers.ts';
export type * from './record.ts';
