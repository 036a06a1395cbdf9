import { describe, expect, test } from '@jest/globals';
import { policyFor, readServerConfig, type RepositoryPolicy } from '@nereid/config';
import { discoverRoots } from '../discover-roots.ts';
import { findRoots } from '../find-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';
import { readTerraformJson } from '../terraform/terraform-json.ts';
import { statePlaceOf } from './state-place.ts';

const inS3 = (key: string, more = '') =>
  `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = ${key}\n${more}  }\n}\n`;
const PROD = inS3('"prod"');

const inJson = (s3: object) => JSON.stringify({ terraform: { backend: { s3 } } });

/** As the CDK writes a stack. */
const synthesized = (key: string) =>
  JSON.stringify({
    '//': { metadata: { backend: 's3', stackName: key, version: '0.20.12' }, outputs: { [key]: {} } },
    provider: { aws: [{ region: 'eu-central-1' }] },
    resource: { aws_s3_bucket: { logs: { '//': { metadata: { path: `${key}/logs` } }, bucket: `logs-${key}` } } },
    terraform: {
      backend: { s3: { bucket: 'b', dynamodb_table: 'locks', encrypt: true, key, region: 'eu-central-1' } },
      required_providers: { aws: { source: 'aws', version: '6.0.0' } },
    },
  });

async function refusedIn(files: TestFiles, policy: RepositoryPolicy = anyPolicy()): Promise<readonly string[]> {
  const source = { tree: treeOf(files), policy, parsed: createParsedFiles() };
  const found = await discoverRoots({ ...source, changed: Object.keys(files) });
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return found.modified.flatMap(({ root }) => root.steps.plan.flatMap((step) => ('why' in step ? [step.why] : [])));
}

describe('two roots are refused by their plans', () => {
  test('where one is a copy of the other, with its state', async () => {
    expect(await refusedIn({ 'prod/main.tf': PROD, 'stage/main.tf': PROD, 'other/main.tf': inS3('"other"') })).toEqual([
      expect.stringContaining('found that root stage in "stage" names the same state in its backend'),
      expect.stringContaining('found that root prod in "prod" names the same state in its backend'),
    ]);
  });

  test('where both have one file with it, by a link', async () => {
    const link = { link: '../common/backend.tf' };

    expect(
      await refusedIn({ 'a/backend.tf': link, 'b/backend.tf': link, 'common/backend.tf': PROD, 'common/x.txt': '' }),
    ).toHaveLength(3);
  });

  test('where both are made by the CDK, whose JSON has comments', async () => {
    expect(
      await refusedIn({
        'stacks/prod/cdk.tf.json': synthesized('prod'),
        'stacks/stage/cdk.tf.json': synthesized('prod'),
      }),
    ).toHaveLength(2);
  });

  test('where one has it in JSON, and the other one not', async () => {
    expect(await refusedIn({ 'a/main.tf': PROD, 'b/main.tf.json': inJson({ bucket: 'b', key: 'prod' }) })).toHaveLength(
      2,
    );
  });

  test.each<[string, string]>([
    ['in another order', 'terraform {\n  backend "s3" {\n    key = "prod"\n    bucket = "b"\n  }\n}\n'],
    ['with another lock and role', inS3('"prod"', '    use_lockfile = true\n    role_arn = "arn:aws:iam::1:role/x"\n')],
    ['with a role that only OpenTofu knows', inS3('"prod"', '    assume_role {\n      role_arn = var.role\n    }\n')],
  ])('where one says the same %s', async (_how, copy) => {
    expect(await refusedIn({ 'prod/main.tf': PROD, 'stage/main.tf': copy })).toHaveLength(2);
  });

  test.each<[string, TestFiles]>([
    ['in the same language', { 'b/main.tf': inS3('"b"'), 'b/override.tf': PROD }],
    ['of JSON', { 'b/main.tf': inS3('"b"'), 'b/state_override.tf.json': inJson({ bucket: 'b', key: 'prod' }) }],
    ['after another one', { 'b/a_override.tf': inS3('"b"'), 'b/override.tf': PROD, 'b/main.tf': inS3('"b"') }],
    ['behind a link', { 'b/override.tf': { link: '../a/main.tf' }, 'b/main.tf': inS3('"b"') }],
  ])('where one has it in an override %s', async (_which, files) => {
    expect(await refusedIn({ 'a/main.tf': PROD, ...files })).toHaveLength(2);
  });

  test('where a command names one of them', async () => {
    const tree = treeOf({ 'prod/main.tf': PROD, 'stage/main.tf': PROD });

    expect(await findRoots({ tree, policy: anyPolicy(), parsed: createParsedFiles(), names: ['stage'] })).toMatchObject(
      {
        roots: [{ name: 'stage', steps: { plan: [{ kind: 'refuse' }, { kind: 'init' }, { kind: 'plan' }] } }],
      },
    );
  });
});

describe('roots are deployed', () => {
  test.each<[string, TestFiles]>([
    ['with keys of their own', { 'a/main.tf': inS3('"a"'), 'b/main.tf': inS3('"b"') }],
    [
      'at servers of their own',
      {
        'a/main.tf': inS3('"k"', '    endpoints = { "s3" = "https://a" }\n'),
        'b/main.tf': inS3('"k"', '    endpoints = { "s3" = "https://b" }\n'),
        'c/main.tf': inS3('"k"', '    endpoint = "https://c"\n'),
        'd/main.tf': inS3('"k"', '    endpoint = var.server\n'),
        'e/main.tf': inS3('"k"', '    endpoint = var.server\n'),
      },
    ],
    ['whose code leaves the key out', { 'a/main.tf': inS3('""', '').replace(/ *key.*\n/, ''), 'b/main.tf': PROD }],
    [
      'whose code leaves everything out',
      { 'a/main.tf': 'terraform {\n  backend "s3" {}\n}', 'b/main.tf': 'terraform {\n  backend "s3" {}\n}' },
    ],
    ['with a key that only OpenTofu knows', { 'a/main.tf': inS3('var.key'), 'b/main.tf': inS3('var.key') }],
    [
      'with a key that has an expression',
      { 'a/main.tf': inS3('"${path.module}"'), 'b/main.tf': inS3('"${path.module}"') },
    ],
    ['with another override', { 'a/main.tf': PROD, 'b/main.tf': PROD, 'b/override.tf': inS3('"b"') }],
    [
      'with another override, of which a later one takes the place',
      { 'a/main.tf': PROD, 'b/main.tf': PROD, 'b/a_override.tf': PROD, 'b/b_override.tf.json': inJson({ key: 'b' }) },
    ],
    [
      'with two blocks, of which Terraform refuses one',
      { 'a/main.tf': PROD, 'b/main.tf': PROD, 'b/other.tf.json': inJson({ bucket: 'b', key: 'prod' }) },
    ],
    [
      'with keys of their own in JSON',
      {
        'a/cdk.tf.json': synthesized('a'),
        'b/cdk.tf.json': synthesized('b'),
        'c/main.tf.json': inJson({ bucket: 'b' }),
      },
    ],
    [
      'in other workspaces',
      {
        'nereid.yaml': 'version: 1\nroots: [{ dir: a, workspace: x }, { dir: b, workspace: y }]',
        'a/main.tf': PROD,
        'b/main.tf': PROD,
      },
    ],
    [
      'in other workspaces of one directory',
      {
        'nereid.yaml': 'version: 1\nroots: [{ name: x, dir: a, workspace: x }, { name: y, dir: a, workspace: y }]',
        'a/main.tf': PROD,
      },
    ],
  ])('roots are deployed %s', async (_which, files) => {
    expect(await refusedIn(files)).toEqual([]);
  });

  test('whose workflow says more of their backends', async () => {
    const read = readServerConfig(`
workflows: { standard: { plan: [{ init: { extra_args: ["-backend-config=backend.hcl"] } }, plan], apply: [apply] } }
repositories: [{ match: "*/*", workflow: standard }]
storage: { deployments: "file:/tmp", plans: "file:/tmp", logs: "file:/tmp" }
audit: { to: "file:/tmp/audit" }
`);
    if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
    const policy = policyFor(read.config, 'acme/infra');

    expect(await refusedIn({ 'a/main.tf': PROD, 'b/main.tf': PROD }, policy)).toEqual([]);
  });
});

describe('a block in JSON has a state', () => {
  const S3 = statePlaceOf(PROD);

  test.each([
    ['in a list', { terraform: [{ backend: [{ s3: [{ bucket: 'b', key: 'prod' }] }] }] }],
    ['with comments', { terraform: { '//': 'x', backend: { s3: { '//': { a: 1 }, bucket: 'b', key: 'prod' } } } }],
  ])('%s', (_which, value) => {
    expect(S3).toBeDefined();
    expect(readTerraformJson(JSON.stringify(value)).state).toBe(S3);
  });

  test('with a block in it, as in the language', () => {
    const cloud = { organization: 'acme', workspaces: { name: 'prod' } };
    const text = 'terraform {\n cloud {\n  organization = "acme"\n  workspaces {\n   name = "prod"\n  }\n }\n}';

    expect(statePlaceOf(text)).toBeDefined();
    expect(readTerraformJson(JSON.stringify({ terraform: { cloud } })).state).toBe(statePlaceOf(text));
    expect(readTerraformJson(JSON.stringify({ terraform: { cloud: [cloud] } })).state).toBe(statePlaceOf(text));
  });

  test.each([
    ['that the environment completes', inJson({ bucket: 'b' })],
    ['with a template', inJson({ bucket: 'b', key: '${path.module}' })],
    ['that leaves a setting out', inJson({ bucket: 'b', key: null })],
    ['beside another one', '{"terraform":[{"backend":{"s3":{"bucket":"b","key":"a"}}},{"cloud":{}}]}'],
    ['whose key stands there twice', '{"terraform":{"backend":{"s3":{"bucket":"b","key":"a","key":"b"}}}}'],
    ['as deep as a megabyte', `{"terraform":{"backend":{"s3":{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}}}}`],
  ])('but none %s', (_which, text) => {
    expect(readTerraformJson(text)).toMatchObject({ hasBackend: true });
    expect(readTerraformJson(text).state).toBeUndefined();
  });
});

describe('two blocks are of one state', () => {
  const S3 = statePlaceOf(inS3('"prod"', '    encrypt = true\n'));

  test.each([
    [
      'with other spaces, comments and line ends',
      inS3('"prod"', '# x\n\n    encrypt   =   true\n').replaceAll('\n', '\r\n'),
    ],
    [
      'behind other blocks',
      `variable "x" {}\nlocals {\n  terraform = {}\n}\n${inS3('"prod"', '    encrypt = true\n')}`,
    ],
  ])('two blocks are of one state %s', (_which, text) => {
    expect(S3).toBeDefined();
    expect(statePlaceOf(text)).toBe(S3);
  });

  test.each([
    ['of Azure', 'backend "azurerm" {\n storage_account_name = "a"\n container_name = "c"\n key = "k"\n}'],
    ['on a disk', 'backend "local" {\n path = "/srv/states/prod.tfstate"\n}'],
    ['of Google', 'backend "gcs" {\n bucket = "a"\n prefix = "c"\n}'],
    [
      'of Kubernetes',
      'backend "kubernetes" {\n secret_suffix = "s"\n namespace = "n"\n config_path = "~/.kube/config"\n config_context = "eu"\n}',
    ],
    ['of HCP Terraform', 'cloud {\n organization = "acme"\n workspaces {\n name = "prod"\n }\n}'],
  ])('two blocks are of one state %s', (_which, block) => {
    expect(statePlaceOf(`terraform {\n required_version = "> 1"\n ${block}\n}`)).toBeDefined();
  });

  test.each([
    [
      'that takes workspaces by tags',
      'terraform {\n cloud {\n  organization = "a"\n  workspaces {\n   tags = ["a"]\n  }\n }\n}',
    ],
    [
      'whose context of Kubernetes the environment chooses',
      'terraform {\n backend "kubernetes" {\n  secret_suffix = "s"\n  namespace = "n"\n  config_path = "~/k"\n }\n}',
    ],
    ['whose path begins in its own directory', 'terraform {\n backend "local" {\n  path = "prod.tfstate"\n }\n}'],
    ['that the environment completes', 'terraform {\n backend "pg" {\n  schema_name = "a"\n }\n}'],
    ['that stands elsewhere', `locals {\n x = {\n${inS3('"a"')}\n}\n}`],
  ])('nobody knows the state of a block %s', (_which, text) => {
    expect(statePlaceOf(text)).toBeUndefined();
  });
});
