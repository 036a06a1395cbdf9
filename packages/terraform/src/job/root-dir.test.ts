import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { locateRoot } from './root-dir.ts';

test.each(['a', 'link', '.'])('a root is found in its tree, also through a link inside of it: %s', async (dir) => {
  await using folder = await treeWithLinks();

  expect(await locateRoot(path.join(folder.path, 'tree'), dir)).toMatchObject({ kind: 'found' });
});

test.each(['..', '/etc', 'out', 'nothing', 'a/main.tf', 'a/main.tf/b'])(
  'a root is not found outside of its tree, nor where no directory is: %s',
  async (dir) => {
    await using folder = await treeWithLinks();

    expect(await locateRoot(path.join(folder.path, 'tree'), dir)).toMatchObject({ kind: 'not-found' });
  },
);

async function treeWithLinks() {
  const folder = await testdir({ 'tree/a/main.tf': '', 'elsewhere/main.tf': '' });
  await symlink('a', path.join(folder.path, 'tree/link'));
  await symlink('../elsewhere', path.join(folder.path, 'tree/out'));
  return folder;
}
