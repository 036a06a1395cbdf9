import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { READING_PATH } from './reading-path.ts';

const DOCS = path.dirname(import.meta.dirname);

test('the reading path has every page once, and no other', () => {
  const pages = globSync('{*,*/*}.md', { cwd: DOCS }).filter((name) => name !== 'README.md');
  const listed = READING_PATH.flatMap((part) => part.pages.map(({ page }) => page));

  expect(listed.toSorted()).toEqual(pages.toSorted());
});
