import { expect, test } from '@jest/globals';
import { policyFor, readServerConfig, type RepositoryPolicy } from '@nereid/config';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const WRAPPED = { 'vpc/main.tf': BACKEND, 'vpc/terragrunt.hcl': 'inputs = { name = "prod" }' };

/** The roots that the files modify, each with why it is refused. */
async function rootsIn(files: TestFiles, policy: RepositoryPolicy = anyPolicy()) {
  const source = { tree: treeOf(files), policy, parsed: createParsedFiles() };
  const found = await discoverRoots({ ...source, changed: Object.keys(files) });
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return found.modified.map(({ root }) => [
    root.name,
    root.steps.plan.flatMap((step) => ('why' in step ? [step.why] : [])).join(),
  ]);
}

test('a root that is found beside a terragrunt.hcl is refused: its inputs would be missing', async () => {
  expect(await rootsIn({ ...WRAPPED, 'dns/main.tf': BACKEND })).toEqual([
    ['dns', ''],
    [
      'vpc',
      expect.stringContaining('found terragrunt.hcl beside it, whose inputs, backend and hooks would be missing'),
    ],
  ]);
});

test('one that nereid.yaml lists is deployed as it is', async () => {
  expect(await rootsIn({ ...WRAPPED, 'nereid.yaml': 'version: 1\nroots: [{ dir: vpc }]' })).toEqual([['vpc', '']]);
});

test('one whose workflow runs commands is deployed', async () => {
  const read = readServerConfig(`
workflows: { wrapped: { plan: [{ run: terragrunt init }, plan], apply: [apply] } }
repositories: [{ match: "*/*", workflow: wrapped }]
storage: { deployments: "file:/tmp", plans: "file:/tmp", logs: "file:/tmp" }
audit: { to: "file:/tmp/audit" }
`);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));

  expect(await rootsIn(WRAPPED, policyFor(read.config, 'acme/infra'))).toEqual([['vpc', '']]);
});

test('what Terragrunt has downloaded is no root, even if somebody committed it', async () => {
  expect(await rootsIn({ 'vpc/.terragrunt-cache/a/b/main.tf': BACKEND, 'dns/main.tf': BACKEND })).toEqual([
    ['dns', ''],
  ]);
});
