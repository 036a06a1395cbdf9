import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { notesOf, withChanges } from './changelog.ts';
import type { Bump, Change } from './changes.ts';

const aChange = (bump: Bump, summary: string): Change => ({ file: '.changeset/a.md', bump, summary });

test('a release has a section, with what adds above what mends', () => {
  const changelog = withChanges('', '0.1.0', [aChange('patch', 'Mends a.'), aChange('minor', 'Adds b.')]);

  expect(notesOf(changelog, '0.1.0')).toBe('### Adds and changes\n\n- Adds b.\n\n### Mends\n\n- Mends a.\n');
});

test('the newest release is above the others, which stay as they are', () => {
  const first = withChanges('', '0.1.0', [aChange('minor', 'Adds a.')]);
  const second = withChanges(first, '0.1.1', [aChange('patch', 'Mends a.')]);

  expect(second.indexOf('## 0.1.1')).toBeLessThan(second.indexOf('## 0.1.0'));
  expect(notesOf(second, '0.1.0')).toBe(notesOf(first, '0.1.0'));
});

test('further changes of a release that has a section already come after those before', () => {
  const first = withChanges('', '0.1.0', [aChange('minor', 'Adds a.')]);

  expect(notesOf(withChanges(first, '0.1.0', [aChange('minor', 'Adds b.')]), '0.1.0')).toContain(
    '- Adds a.\n- Adds b.\n',
  );
});

test('the lines of a change stay one item', () => {
  const changelog = withChanges('', '0.1.0', [aChange('minor', 'Adds a.\n\nIt needs b.')]);

  expect(notesOf(changelog, '0.1.0')).toContain('- Adds a.\n  \n  It needs b.\n');
  expect(withChanges(changelog, '0.1.0', [])).toBe(changelog);
});

test('a release that the changelog does not know has no notes', () => {
  expect(notesOf(withChanges('', '0.1.0', []), '0.2.0')).toBeUndefined();
});

test('the changelog here is as it would be written', async () => {
  const changelog = await readFile(path.join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');

  expect(withChanges(changelog, '0.1.0', [])).toBe(changelog);
});
