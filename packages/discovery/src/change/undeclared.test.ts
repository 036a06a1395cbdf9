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

test.each<[string, TestFiles, string]>([
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
