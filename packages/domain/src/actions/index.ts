export * from './action.ts';
export * from './actions.ts';
