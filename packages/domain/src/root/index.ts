export * from './repository.ts';
export * from './model.ts';
