export * from './envelopes.ts';
