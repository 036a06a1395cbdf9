export * from './action-audit.ts';
export * from './audit-event.ts';
export * from './job-audit.ts';
