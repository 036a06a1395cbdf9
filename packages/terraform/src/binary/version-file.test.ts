import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { versionFileWarning } from './version-file.ts';

async function warningFor(files: Readonly<Record<string, string>>, distribution: 'terraform' | 'tofu' = 'terraform') {
  await using tree = await testdir({ 'live/app/main.tf': '', ...files });
  const rootDir = path.join(tree.path, 'live/app');
  return await versionFileWarning({ treeDir: tree.path, rootDir, distribution, version: '1.11.4' });
}

test.each([
  [
    'of the root',
    { 'live/app/.terraform-version': '1.5.7\n' },
    'live/app/.terraform-version names 1.5.7, but Terraform',
  ],
  ['above the root', { '.terraform-version': 'v1.5.7' }, '.terraform-version names 1.5.7, but Terraform 1.11.4 made'],
  [
    'of asdf, with Windows’ line ends',
    { '.tool-versions': 'nodejs 24.1.0\r\nterraform 1.5.7\r\n' },
    '.tool-versions names',
  ],
  [
    'nearest to the root',
    { '.terraform-version': '1.11.4', 'live/.terraform-version': '1.6.0' },
    'live/.terraform-version',
  ],
])('a version that a file %s names, and that does not run, is a warning', async (_which, files, said) => {
  expect(await warningFor(files)).toContain(said);
});

test.each([
  ['there is none', {}],
  ['it names the one that runs', { '.terraform-version': '1.11.4\n' }],
  ['it names no exact one', { '.terraform-version': 'latest:^1.5\n' }],
  ['it is for another program', { '.opentofu-version': '1.8.0', '.tool-versions': 'opentofu 1.8.0\n' }],
  ['a nearer one names the one that runs', { '.terraform-version': '1.5.7', 'live/.terraform-version': '1.11.4' }],
])('nothing is said of versions where %s', async (_why, files) => {
  expect(await warningFor(files)).toBeUndefined();
});

test('OpenTofu has a file of its own', async () => {
  expect(await warningFor({ '.opentofu-version': '1.8.0' }, 'tofu')).toContain('but OpenTofu 1.11.4 made this plan');
});
