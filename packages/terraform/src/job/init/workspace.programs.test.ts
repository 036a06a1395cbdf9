import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Step } from '@nereid/domain/root';
import { aJob, aRoot, realTerraform, testdir } from '../../../fixtures/fixture.ts';
import { planRoot } from '../../plan/plan-root.ts';
import { listStateOfRoot } from '../../removal/list-state-of-root.ts';
import type { JobOptions } from '../job-options.ts';
import { isSelectedByInit, withoutBackendArguments } from './workspace.ts';

const terraform = await realTerraform();
const DATA = 'resource "terraform_data" "a" { input = terraform.workspace }\n';

/** A backend with the workspaces `default` and `old`, and jobs of a root with another one. */
async function aBackend() {
  const folder = await testdir({
    'tree/main.tf': `terraform {\n  backend "local" {}\n}\n${DATA}`,
    'shared/default.tfstate': '{"version":4,"serial":1,"lineage":"of-default"}',
    'shared/envs/old/terraform.tfstate': '{"version":4,"serial":7,"lineage":"of-old"}',
  });
  const shared = path.join(folder.path, 'shared');
  const settings = [`path=${shared}/default.tfstate`, `workspace_dir=${shared}/envs`];
  const init: Step = {
    kind: 'init',
    extraArgs: [`-backend-config=${settings[0]}`, '-backend-config', settings[1] ?? ''],
  };
  const steps = { plan: [init, { kind: 'plan', extraArgs: [] } as const], apply: [] };
  const optionsFor = (workspace: string, changes: Partial<JobOptions> = {}) =>
    aJob(folder.path, terraform, { root: aRoot({ workspace, steps }), sharedState: [shared], ...changes }).options;
  return {
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    folder: folder.path,
    optionsFor,
    workspaces: async () => (await readdir(path.join(shared, 'envs'))).toSorted(),
  };
}

describe('a workspace beside others that the backend does not have', () => {
  test('is made by a deployment, then planned', async () => {
    await using backend = await aBackend();

    const planned = await planRoot(backend.optionsFor('new', { missingWorkspace: 'make' }));

    expect(planned).toMatchObject({ kind: 'planned', summary: { create: 1 } });
    expect(planned).not.toHaveProperty('newWorkspace');
    expect(await backend.workspaces()).toEqual(['new', 'old']);
  });

  test('is not made by a preview, which plans against nothing', async () => {
    await using backend = await aBackend();

    const planned = await planRoot(backend.optionsFor('new', { missingWorkspace: 'pretend', locksState: false }));

    expect(planned).toMatchObject({ kind: 'planned', newWorkspace: true, summary: { create: 1 } });
    expect(planned).not.toHaveProperty('stateVersion');
    expect(planned.kind === 'planned' && planned.texts?.text.text).toContain('"new"');
    expect(await backend.workspaces()).toEqual(['old']);
  });

  test('holds nothing of a root that is removed', async () => {
    await using backend = await aBackend();

    const listed = await listStateOfRoot(backend.optionsFor('new', { missingWorkspace: 'pretend' }));

    expect(listed).toMatchObject({ kind: 'listed', summary: { forget: 0 } });
    expect(await backend.workspaces()).toEqual(['old']);
  });

  test('is not made where only a state is looked at', async () => {
    await using backend = await aBackend();

    expect(await planRoot(backend.optionsFor('new'))).toMatchObject({
      failure: { summary: 'expected the workspace new in the backend of this root, found none of that name' },
    });
    expect(await backend.workspaces()).toEqual(['old']);
  });

  test('is not made where its state would be lost', async () => {
    await using backend = await aBackend();
    const options = backend.optionsFor('new', { missingWorkspace: 'make', sharedState: [] });

    expect(await planRoot(options)).toMatchObject({
      failure: { summary: expect.stringContaining('which no host is known to share') },
    });
    expect(await backend.workspaces()).toEqual(['old']);
  });
});

test.each([
  ['old', 'make', '7 of-old'],
  ['old', 'pretend', '7 of-old'],
  ['default', 'make', '1 of-default'],
  ['default', 'pretend', '1 of-default'],
] as const)(
  'a workspace that is there is planned as it is: %s, %s',
  async (workspace, missingWorkspace, stateVersion) => {
    await using backend = await aBackend();

    const planned = await planRoot(backend.optionsFor(workspace, { missingWorkspace }));

    expect(planned).toMatchObject({ kind: 'planned', stateVersion });
    expect(planned).not.toHaveProperty('newWorkspace');
    expect(await backend.workspaces()).toEqual(['old']);
  },
);

describe('a plan in the workspace default, which has no state, beside other workspaces', () => {
  test('names them: it may make everything a second time', async () => {
    await using backend = await aBackend();
    await rm(path.join(backend.folder, 'shared/default.tfstate'));

    expect(await planRoot(backend.optionsFor('default'))).toMatchObject({
      kind: 'planned',
      doubt: expect.stringContaining('has no state, but the backend also has "old": if one of them is meant, '),
    });
  });

  test('says nothing of them where that is their own state', async () => {
    await using backend = await aBackend();

    expect(await planRoot(backend.optionsFor('default'))).not.toHaveProperty('doubt');
  });
});

test('what code of the root put in the place of our file is not written through', async () => {
  await using backend = await aBackend();
  const outside = path.join(backend.folder, 'outside.tf');
  await writeFile(outside, '# mine\n');
  const options = backend.optionsFor('new', { missingWorkspace: 'pretend' });
  const link: Step = { kind: 'run', run: `ln -s ${outside} zz_nereid_override.tf` };
  const steps = { ...options.root.steps, plan: [link, ...options.root.steps.plan] };

  expect(await planRoot({ ...options, root: { ...options.root, steps } })).toMatchObject({ newWorkspace: true });
  expect(await readFile(outside, 'utf8')).toBe('# mine\n');
});

describe('an init selects the workspace of', () => {
  test.each([
    ['main.tf', 'terraform {\n  cloud {\n    organization = "acme"\n  }\n}\n', true],
    ['main.tf', 'terraform {\n  backend "remote" {}\n}\n', true],
    ['main.tf.json', '{"terraform":{"cloud":{"organization":"acme"}}}', true],
    ['main.tofu', 'terraform {\n  cloud {}\n}\n', true],
    ['main.tf', 'terraform {\n  backend "s3" {}\n}\nresource "cloud" "remote" {}\n', false],
    ['main.tf.json', '{"terraform":[{"backend":[{"remote":{}}]}]}', true],
    ['main.tf.json', '{"terraform":{"backend":{"s3":{}}},"locals":{"remote":1,"cloud":2}}', false],
    ['main.tf.json', '{"terraform":{"cloud":{}},"terraform":{"required_version":"1.5.0"}}', true],
    ['main.tf.json', '{"terraform":{"backend":{"remote":{}},"backend":{"s3":{}}}}', true],
    ['main.tf.json', '[{"terraform":{"cloud":{}}}]', true],
    ['main.tf.json', '{"terraform":{"cloud":null}}', false],
  ])('whether an init selects the workspace is read from %s: %s', async (name, text, expected) => {
    await using folder = await testdir({ [name]: text });

    expect(await isSelectedByInit(folder.path, 'tofu')).toBe(expected);
  });
});

test('an init for another backend has no arguments for that of the root', () => {
  const args = ['-upgrade', '-backend-config', 'a=b', '-backend-config=c=d', '--backend-config=e.hcl', '-reconfigure'];

  expect(withoutBackendArguments([...args, '-migrate-state', '-backend=true', '-lock=false'])).toEqual([
    '-reconfigure',
    '-upgrade',
    '-lock=false',
  ]);
});
