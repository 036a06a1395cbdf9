import type { Rule } from './source-file.ts';

const LAYOUT = new Set([
  'CHANGELOG.md',
  'LICENSE',
  'Makefile',
  'NOTICE',
  'README.md',
  'apps',
  'docker-compose.yml',
  'package-lock.json',
  'package.json',
  'packages',
  'temporal',
  'tsconfig.base.json',
  'tsconfig.json',
  'workflows',
]);

/** The top level, which people see first, stays short: a new file goes further down, or is hidden. */
export const theTopLevelIsFixed: Rule = (files) =>
  [...new Set(files.map(({ path }) => path.split('/')[0] ?? ''))]
    .filter((name) => !name.startsWith('.') && !LAYOUT.has(name))
    .map((name) => `${name}: does not belong at the top level`);
