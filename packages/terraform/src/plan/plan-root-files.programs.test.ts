import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Root, Step } from '@nereid/domain/root';
import { aJob, aRoot, fixture, realTerraform, testdir } from '../../fixtures/fixture.ts';
import { planRoot } from './plan-root.ts';

const terraform = await realTerraform();

describe('a root', () => {
  test('that the revision does not have is a failed plan', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = aJob(folder.path, 'terraform', { root: aRoot({ dir: 'gone' }) });

    expect(await planRoot(options)).toMatchObject({
      failure: { summary: 'expected the directory gone in this revision, found nothing' },
    });
  });

  test('that is a link out of its tree is a failed plan', async () => {
    await using folder = await testdir({ 'tree/a': '', 'elsewhere/main.tf': '' });
    await symlink('../elsewhere', path.join(folder.path, 'tree/out'));
    const { options } = aJob(folder.path, 'terraform', { root: aRoot({ dir: 'out' }) });

    expect(await planRoot(options)).toMatchObject({
      failure: { summary: 'expected the directory out in this revision, found a link that leads out of it' },
    });
  });
});

test('a plan file that nobody could store is a failed plan', async () => {
  await using folder = await testdir({ 'tree/root/main.tf': '' });
  const root = withPlanSteps([{ kind: 'plan', extraArgs: [] }], { dir: 'root' });
  const { options } = aJob(folder.path, fixture('terraform-plans-300mb'), { root });

  expect(await planRoot(options)).toMatchObject({
    failure: { summary: 'expected a plan file of at most 256 MiB, found 300 MiB; split the root' },
  });
});

test('a plan that takes more to show than anybody keeps is a failed plan', async () => {
  await using folder = await testdir({ 'tree/root/main.tf': '' });
  const root = withPlanSteps([{ kind: 'plan', extraArgs: [] }], { dir: 'root' });
  const { options } = aJob(folder.path, fixture('terraform-shows-300mb'), { root });

  expect(await planRoot(options)).toMatchObject({
    failure: { summary: 'expected at most 256 MiB of a plan to show, found more; split the root' },
  });
  expect(await readdir(options.folder)).not.toContain('plan.json');
});

describe('a link out of the tree is a failed plan, and is not read, as', () => {
  const plan: Step = { kind: 'plan', extraArgs: ['-var-file', 'given.tfvars', '-var-file=../../given-by-the-server'] };
  const init: Step = { kind: 'init', extraArgs: ['-backend-config=path=x', '-backend-config=backend.hcl'] };

  test.each([
    ['a variable file', 'vars/link.tfvars', { varFiles: ['../vars/link.tfvars'] }],
    ['a variable file below a link', 'vars', { varFiles: ['../vars/secret'] }],
    ['a variable file of an argument', 'root/given.tfvars', {}],
    ['a variable file that Terraform finds by itself', 'root/x.auto.tfvars', {}],
    ['a backend file', 'root/backend.hcl', {}],
  ])('%s that is a link out of the tree fails the plan, and is not read', async (_what, link, changes) => {
    await using folder = await testdir({ 'tree/root/main.tf': '', 'elsewhere/secret': 'canary' });
    const isFolder = link === 'vars';
    await mkdir(path.join(folder.path, 'tree', path.dirname(link)), { recursive: true });
    await symlink(
      path.join(folder.path, isFolder ? 'elsewhere' : 'elsewhere/secret'),
      path.join(folder.path, 'tree', link),
    );
    const root = withPlanSteps(link === 'root/backend.hcl' ? [init, plan] : [plan], { dir: 'root', ...changes });
    const { options, logged } = aJob(folder.path, fixture('terraform-shows-nonsense'), { root });

    const result = await planRoot(options);

    expect(result).toMatchObject({
      kind: 'failed',
      failure: {
        summary: expect.stringMatching(/^expected .* to be a file of this repository, found a link that leads/),
      },
    });
    expect(logged()).toBe('');
  });
});

test.each([
  ['is removed', 'rm "$PLANFILE"'],
  ['is emptied', ': > "$PLANFILE"'],
  ['becomes a pipe', 'rm "$PLANFILE" && mkfifo "$PLANFILE"'],
  ['becomes a link to something without an end', 'ln -sf /dev/zero "$PLANFILE"'],
])('a plan file that %s is a failed plan, and no failure of the host', async (_what, script) => {
  await using folder = await testdir({ 'tree/main.tf': '' });
  const root = withPlanSteps([
    { kind: 'plan', extraArgs: [] },
    { kind: 'run', run: script },
  ]);
  const { options } = aJob(folder.path, terraform, { root });

  expect(await planRoot(options)).toMatchObject({
    failure: { summary: expect.stringContaining('expected the plan in the file that -out names, found none there') },
  });
});

test('links within the tree, and files that the server names, are read', async () => {
  await using folder = await testdir({
    'tree/main.tf': 'variable "a" {}',
    'tree/common/x.tfvars': 'a = 1',
    'y.tfvars': '',
  });
  await symlink('common/x.tfvars', path.join(folder.path, 'tree/link.tfvars'));
  const given: Step = { kind: 'plan', extraArgs: [`-var-file=${folder.path}/y.tfvars`] };
  const { options } = aJob(folder.path, terraform, { root: withPlanSteps([given], { varFiles: ['link.tfvars'] }) });

  expect(await planRoot(options)).toMatchObject({ kind: 'planned' });
});

function withPlanSteps(plan: readonly Step[], changes: Partial<Root> = {}): Root {
  return aRoot({ ...changes, steps: { plan, apply: [] } });
}
