export * from './identity-token.ts';
export * from './read-token.ts';
