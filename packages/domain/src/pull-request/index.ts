export * from './model.ts';
export * from './id.ts';
