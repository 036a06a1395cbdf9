export * from './bodies.ts';
export * from './envelopes.ts';
