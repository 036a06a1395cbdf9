import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { madeInDataDir } from './made-in-data-dir.ts';

test('what planning wrote beside what an init makes again is found, and nothing behind a link', async () => {
  await using folder = await testdir({
    '.terraform/archive_files/fn.zip': 'zip',
    '.terraform/providers/p': 'provider',
  });
  const own = path.join(await realpath(folder.path), '.terraform');
  await mkdir(path.join(folder.path, 'elsewhere'));
  await writeFile(path.join(folder.path, 'elsewhere', 'key'), 'the key');
  await symlink(path.join(folder.path, 'elsewhere'), path.join(folder.path, '.swapped'));

  expect(await madeInDataDir(own)).toEqual(['archive_files/fn.zip']);
  expect(await madeInDataDir(path.join(await realpath(folder.path), '.swapped'))).toEqual([]);
  expect(await madeInDataDir(path.join(own, 'nothing'))).toEqual([]);
});
