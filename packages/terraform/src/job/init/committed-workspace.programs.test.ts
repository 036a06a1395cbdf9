import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Root } from '@nereid/domain/root';
import { aJob, aRoot, realTerraform, testdir } from '../../../fixtures/fixture.ts';
import { planRoot } from '../../plan/plan-root.ts';
import { whySelectionRefused } from './committed-workspace.ts';

const terraform = await realTerraform();

/** The plan of a root in whose commit somebody left the workspace that was theirs, and whose backend has that. */
async function planIn(changes: Partial<Root> = {}, files: Readonly<Record<string, string>> = {}) {
  await using folder = await testdir({ 'shared/old/terraform.tfstate': '' });
  const at = `    path = "${folder.path}/shared/default.tfstate"\n    workspace_dir = "${folder.path}/shared"\n`;
  await using tree = await testdir({
    'tree/main.tf': `terraform {\n  backend "local" {\n${at}  }\n}\noutput "in" {\n  value = terraform.workspace\n}\n`,
    'tree/.terraform/environment': 'old\n',
    ...files,
  });
  const steps: Root['steps'] = {
    plan: [
      { kind: 'init', extraArgs: [] },
      { kind: 'plan', extraArgs: [] },
    ],
    apply: [{ kind: 'apply', extraArgs: [] }],
  };
  return await planRoot(aJob(tree.path, terraform, { root: aRoot({ steps, ...changes }) }).options);
}

test('a workspace that a committed .terraform selects is not taken for default', async () => {
  expect(await planIn()).toMatchObject({
    kind: 'failed',
    failure: {
      summary:
        '.terraform/environment in the repository selects the workspace "old", but this root is in the workspace default',
    },
  });
});

test.each<[string, Partial<Root>, Readonly<Record<string, string>>]>([
  ['that selects default', {}, { 'tree/.terraform/environment': 'default\n' }],
  ['where the root has that workspace', { workspace: 'old' }, {}],
])('a root is planned beside one %s', async (_which, changes, files) => {
  expect(await planIn(changes, files)).toMatchObject({ kind: 'planned' });
});

test('a link that leaves the tree is not read: it could lead to a secret of the host', async () => {
  await using folder = await testdir({
    secret: 'hunter2',
    'tree/main.tf': 'output "in" {\n  value = terraform.workspace\n}\n',
    'tree/.terraform/.keep': '',
  });
  await symlink(path.join(folder.path, 'secret'), path.join(folder.path, 'tree/.terraform/environment'));
  const job = { rootDir: path.join(folder.path, 'tree'), env: () => ({}) };
  const options = { root: aRoot(), treeDir: job.rootDir };

  expect(await whySelectionRefused(options, job)).toBeUndefined();
});
