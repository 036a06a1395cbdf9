export * from './console-request.ts';
export * from './intake.ts';
export * from './id.ts';
export * from './user-action.ts';
export * from './webhook-events.ts';
export type * from './record.ts';
