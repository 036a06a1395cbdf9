import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWorkspace } from './workspace.ts';

let rootDir: string;

beforeEach(async () => {
  rootDir = await realpath(await mkdtemp(join(tmpdir(), 'nereid-workspace-')));
});

afterEach(() => rm(rootDir, { recursive: true, force: true }));

test.each([
  ['itself', '.terraform.lock.hcl'],
  ['nothing', 'gone'],
  ['a device without an end', '/dev/zero'],
  ['a folder', '/'],
])('a lock file that is a link to %s is none', async (_what, target) => {
  await symlink(target, join(rootDir, '.terraform.lock.hcl'));
  const workspace = { folder: '', jobFolder: '', treeDir: rootDir, rootDir, planFile: '' };

  const description = await describeWorkspace(workspace, { root: { distribution: 'terraform' } }, '1.11.4');

  expect(description).toMatchObject({ path: rootDir, lockFileDigest: null });
});
