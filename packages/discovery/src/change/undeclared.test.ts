import { expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

async function unplannedIn(files: TestFiles, changed: readonly string[]) {
  const found = await discoverRoots({ tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles(), changed });
  return found.kind === 'roots' ? found.unplanned : found.problems;
}

const DECLARED = { 'nereid.yaml': 'version: 1\nroots: [{ dir: prod }]', 'prod/main.tf': BACKEND };

test('a directory with a backend that nereid.yaml does not list is named', async () => {
  expect(await unplannedIn({ ...DECLARED, 'stage/main.tf': BACKEND }, ['stage/main.tf'])).toBe(
    '"stage" has a backend and is no root, so nothing of it is deployed: list it in nereid.yaml, or in its autodiscover.ignore',
  );
});

test('of many, some are named', async () => {
  const dirs = ['a', 'b', 'c', 'd'].map((dir) => `${dir}/main.tf`);
  const files = { ...DECLARED, ...Object.fromEntries(dirs.map((file) => [file, BACKEND])) };

  expect(await unplannedIn(files, dirs)).toContain('"a", "b", "c" and 1 more have backends and are no roots');
});

test('a directory whose backend is in a file for OpenTofu says what it takes', async () => {
  expect(await unplannedIn({ 'net/backend.tofu': BACKEND, 'net/main.tf': '' }, ['net/main.tf'])).toContain(
    'for .tofu, that is distribution: tofu',
  );
});

const PROVIDER = 'provider "aws" {\n  region = "eu-central-1"\n}\n';

test('a directory that configures a provider, and whose backend a script copies from another one, is named', async () => {
  const files = { 'infra/main.tf': PROVIDER, 'infra/prod/backend.tf': BACKEND, 'infra/prod/prod.tfvars': '' };

  expect(await unplannedIn(files, ['infra/main.tf'])).toBe(
    '"infra" configures providers without a backend, so it is no root, and nothing of it is deployed: commit the backend, or ' +
      'list it in nereid.yaml, with autodiscover.mode: enabled and a workflow that writes one',
  );
  expect(
    await unplannedIn({ 'a/x.tf.json': '{"provider":{"aws":{}}}', 'b/main.tf': PROVIDER }, ['a/x', 'b/y']),
  ).toMatch(/^"a", "b" configure providers .* they are no roots, .* list them in /);
});

test.each([
  ['live/prod/vpc/terragrunt.hcl', 'Terragrunt'],
  ['live/terragrunt.stack.hcl', 'Terragrunt'],
  ['deployments.tfdeploy.hcl', 'Terraform Stacks'],
  ['network.tfcomponent.hcl', 'Terraform Stacks'],
  ['cdktf.json', 'CDK for Terraform'],
  ['atmos.yaml', 'Atmos'],
])('a change of %s, which is for another program, says so', async (file, program) => {
  expect(await unplannedIn({ ...DECLARED, [file]: '' }, [file])).toBe(
    `"${file}": nothing here runs ${program}, so nothing of it is deployed`,
  );
});

test('each program is named with its own files', async () => {
  const files = { 'a/terragrunt.hcl': '', 'b/terragrunt.hcl': '', 'cdktf.json': '' };

  expect(await unplannedIn({ ...DECLARED, ...files }, Object.keys(files))).toBe(
    '"a/terragrunt.hcl" and 1 more: nothing here runs Terragrunt, so nothing of it is deployed; ' +
      '"cdktf.json": nothing here runs CDK for Terraform, so nothing of it is deployed',
  );
});

test.each<[string, TestFiles, string]>([
  [
    'of a module that configures a provider',
    { 'prod/m.tf': 'module "m" {\n  source = "../m"\n}\n', 'm/main.tf': PROVIDER },
    'm/main.tf',
  ],
  [
    'that is ignored, though its files are for Terragrunt',
    {
      'nereid.yaml': 'version: 1\nroots: [{ dir: prod }]\nautodiscover: { ignore: [live] }',
      'live/terragrunt.hcl': '',
    },
    'live/terragrunt.hcl',
  ],
  ['that is gone, with the files of Terragrunt in it', {}, 'live/terragrunt.hcl'],
  ['of modules', { 'modules/vpc/main.tf': PROVIDER }, 'modules/vpc/main.tf'],
  ['of a fixture for Terragrunt', { 'test/fixtures/a/terragrunt.hcl': '' }, 'test/fixtures/a/terragrunt.hcl'],
  ['of an example of a module', { 'examples/complete/main.tf': PROVIDER }, 'examples/complete/main.tf'],
  ['that did not change', { 'stage/main.tf': BACKEND }, 'prod/main.tf'],
  [
    'that is a module',
    { 'prod/m.tf': 'module "m" {\n  source = "../stage"\n}\n', 'stage/main.tf': BACKEND },
    'stage/main.tf',
  ],
  ['without a backend', { 'stage/main.tf': '' }, 'stage/main.tf'],
  [
    'that is ignored',
    {
      'nereid.yaml': 'version: 1\nroots: [{ dir: prod }]\nautodiscover: { mode: auto, ignore: [stage] }',
      'stage/main.tf': BACKEND,
    },
    'stage/main.tf',
  ],
])('nothing is said of a directory %s', async (_which, files, changed) => {
  expect(await unplannedIn({ ...DECLARED, ...files }, [changed])).toBeUndefined();
});
