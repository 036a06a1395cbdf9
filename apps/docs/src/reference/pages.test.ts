/** Pages of the reference say what the code says. `UPDATE_GOLDEN=1` writes them again. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withTable } from './markdown.ts';
import { GENERATED_PAGES } from './pages.ts';
import { GENERATED_TABLES } from './tables.ts';

const DOCS = path.join(import.meta.dirname, '../..');

test.each(Object.entries(GENERATED_PAGES))('%s is as its table in the code has it', (name, generate) => {
  const file = path.join(DOCS, 'reference', name);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, generate());

  expect(readFileSync(file, 'utf8')).toBe(generate());
});

test.each(Object.entries(GENERATED_TABLES))('the table of %s is as the code has it', (name, generate) => {
  const file = path.join(DOCS, name);
  const written = readFileSync(file, 'utf8');
  const fresh = withTable(written, generate());
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, fresh);
  else expect(written).toBe(fresh);
});
