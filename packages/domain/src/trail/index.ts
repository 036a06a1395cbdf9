export * from './action-audit.ts';
export * from './audit-event.ts';
export * from './job-audit.ts';
export type * from './record.ts';
