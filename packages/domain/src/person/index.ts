export * from './access.ts';
export * from './login.ts';
