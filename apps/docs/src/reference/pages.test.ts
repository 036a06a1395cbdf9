/** Pages of the reference say what the code says. `UPDATE_GOLDEN=1` writes them again. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { GENERATED_PAGES } from './pages.ts';

const REFERENCE = path.join(import.meta.dirname, '../../reference');

test.each(Object.entries(GENERATED_PAGES))('%s is as its table in the code has it', (name, generate) => {
  const file = path.join(REFERENCE, name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, generate());

  expect(readFileSync(file, 'utf8')).toBe(generate());
});
