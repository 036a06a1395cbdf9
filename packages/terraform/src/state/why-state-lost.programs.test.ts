import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Step } from '@nereid/domain/root';
import { aJob, aRoot, fixture, realTerraform, testdir } from '../../fixtures/fixture.ts';
import { planRoot } from '../plan/plan-root.ts';

const terraform = await realTerraform();
const NO_BACKEND = 'this root has no backend: its state would be lost with the working tree';

interface Written {
  /** The arguments of `backend "local"`; SHARED is a folder that all hosts share, OWN one that they do not. */
  readonly local?: string;
  readonly main?: string;
  readonly workspace?: string;
  readonly initArgs?: readonly string[];
  readonly before?: readonly Step[];
}

/** Plans a root of which this is written. */
async function planOf({ local, main, workspace = 'default', initArgs = [], before = [] }: Written) {
  await using folder = await testdir({ 'tree/README.md': '', 'shared/README.md': '', 'own/README.md': '' });
  const placed = (text: string) =>
    text.replaceAll('SHARED', path.join(folder.path, 'shared')).replaceAll('OWN', path.join(folder.path, 'own'));
  const block = local === undefined ? '' : `terraform {\n  backend "local" {\n${local}\n}\n}\n`;
  await writeFile(path.join(folder.path, 'tree/main.tf'), placed(main ?? `${block}resource "terraform_data" "a" {}\n`));
  const init: Step = { kind: 'init', extraArgs: initArgs.map(placed) };
  const root = aRoot({ workspace, steps: { plan: [...before, init, { kind: 'plan', extraArgs: [] }], apply: [] } });
  const sharedState = [path.join(folder.path, 'shared')];
  return await planRoot(aJob(folder.path, terraform, { root, sharedState, missingWorkspace: 'make' }).options);
}

describe('a root is planned', () => {
  test.each<[string, Written]>([
    ['whose state is in a folder that all hosts share', { local: 'path = "SHARED/a.tfstate"' }],
    ['whose init is told such a folder', { local: '', initArgs: ['-backend-config=path=SHARED/a.tfstate'] }],
    [
      'whose workspaces are in such a folder',
      { local: 'path = "here.tfstate"\nworkspace_dir = "SHARED/envs"', workspace: 'prod' },
    ],
    [
      'that works in another folder of its tree',
      { local: 'path = "SHARED/a.tfstate"', before: [{ kind: 'env', name: 'TF_DATA_DIR', value: '.terraform-prod' }] },
    ],
  ])('a root is planned %s', async (_which, written) => {
    expect(await planOf(written)).toMatchObject({ kind: 'planned', hasChanges: true });
  });
});

describe('a root is refused before its plan', () => {
  test.each<[string, Written, string]>([
    ['without a backend', {}, NO_BACKEND],
    ['whose init leaves its backend out', { local: 'path = "SHARED/a"', initArgs: ['-backend=false'] }, NO_BACKEND],
    [
      'whose backend names no file',
      { local: '' },
      'the backend "local" of this root has the path "terraform.tfstate", in the working tree: its state would be lost with that',
    ],
    [
      'whose backend names a file of its tree',
      { local: 'path = "../tree/here.tfstate"' },
      'the backend "local" of this root has the path "../tree/here.tfstate", in the working tree: its state would be lost with that',
    ],
    [
      'whose init is told a file of its tree',
      { local: 'path = "SHARED/a.tfstate"', initArgs: ['-backend-config=path=b.tfstate'] },
      'the backend "local" of this root has the path "b.tfstate", in the working tree: its state would be lost with that',
    ],
    [
      'whose other workspaces are in its tree',
      { local: 'path = "SHARED/a.tfstate"', workspace: 'prod' },
      'the backend "local" of this root has the workspace_dir "terraform.tfstate.d", in the working tree: its state would be lost with that',
    ],
    [
      'whose backend forgets',
      { main: 'terraform {\n  backend "inmem" {}\n}\n' },
      'the backend "inmem" of this root keeps nothing: its state would be lost with each command',
    ],
    [
      'that works outside of its tree',
      { local: 'path = "SHARED/a"', before: [{ kind: 'env', name: 'TF_DATA_DIR', value: '/tmp/nereid-data' }] },
      'TF_DATA_DIR names a folder outside of the working tree, which an apply would not find',
    ],
  ])('a root is refused before its plan %s', async (_which, written, summary) => {
    expect(await planOf(written)).toMatchObject({ kind: 'failed', failure: { summary } });
  });

  test('whose state is where only one host is known to have it, with what to do', async () => {
    expect(await planOf({ local: 'path = "OWN/a.tfstate"' })).toMatchObject({
      kind: 'failed',
      failure: {
        summary: expect.stringMatching(/has the path ".*", which no host is known to share: another one would begin/),
        lines: expect.arrayContaining([expect.stringContaining('under terraform.shared_state')]),
      },
    });
  });
});

describe('what code of a root wrote in the place of its backend', () => {
  const hangs = { root: aRoot(), sharedState: ['/'] };

  test.each<[string, (file: string) => Promise<void>]>([
    ['a link out of its tree', (file) => symlink('/etc/passwd', file)],
    ['a device', (file) => symlink('/dev/zero', file)],
    ['a folder', (file) => mkdir(file).then(() => undefined)],
    ['two megabytes', (file) => writeFile(file, ' '.repeat(2 * 1024 ** 2))],
    ['no JSON', (file) => writeFile(file, '{')],
    ['something else', (file) => writeFile(file, '{"backend":{"type":5}}')],
  ])('is no backend when it is %s', async (_what, write) => {
    await using folder = await testdir({ 'tree/.terraform/README.md': '' });
    await write(path.join(folder.path, 'tree/.terraform/terraform.tfstate'));

    const planned = await planRoot(aJob(folder.path, fixture('terraform-hangs'), hangs).options);

    expect(planned).toMatchObject({ kind: 'failed', failure: { summary: NO_BACKEND } });
  });
});
