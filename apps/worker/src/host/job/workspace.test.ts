import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { describeWorkspace } from './workspace.ts';

const rootDir = folderOfEachTest();

test.each([
  ['itself', '.terraform.lock.hcl'],
  ['nothing', 'gone'],
  ['a device without an end', '/dev/zero'],
  ['a folder', '/'],
  ['a file without an end, which has no size', '/proc/self/pagemap'],
  ['a file of the host', '/etc/passwd'],
])('a lock file that is a link to %s is none', async (_what, target) => {
  await symlink(target, join(rootDir, '.terraform.lock.hcl'));

  expect(await described()).toMatchObject({ path: rootDir, lockFileDigest: null });
});

test('a lock file without an end in sight is known by its size', async () => {
  await writeFile(join(rootDir, '.terraform.lock.hcl'), '');
  await truncate(join(rootDir, '.terraform.lock.hcl'), 2 ** 40);

  expect(await described()).toMatchObject({ lockFileDigest: 'of 1099511627776 bytes' });
});

function described() {
  const workspace = { folder: '', jobFolder: '', treeDir: rootDir, rootDir, planFile: '' };
  return describeWorkspace(workspace, { root: { distribution: 'terraform' } }, '1.11.4');
}
