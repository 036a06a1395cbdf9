export * from './domain-event.ts';
export * from './trail-fact.ts';
export * from './wait-reason.ts';
