export * from './page-names.ts';
