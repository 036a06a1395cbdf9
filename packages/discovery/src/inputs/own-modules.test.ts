import { describe, expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

async function modified(files: TestFiles, changed: readonly string[]) {
  const found = await discoverRoots({ tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles(), changed });
  return found.kind === 'roots' ? found.modified.map(({ root }) => root.name) : found.problems;
}

describe('a module that a root fetches from its own repository', () => {
  const files = (source: string) => ({
    'net/main.tf': `terraform {\n  backend "s3" {}\n}\nmodule "m" {\n  source = "${source}"\n}\n`,
    'modules/vpc/main.tf': '',
  });

  test.each([
    'git::https://github.com/acme/infra.git//modules/vpc',
    'git::ssh://git@github.com/Acme/Infra//modules/vpc?depth=1&ref=main',
    'git@github.com:acme/infra.git//modules/vpc?ref=feature/wider',
    'github.com/acme/infra//modules/vpc',
  ])('is an input as it is on the branch: %s', async (source) => {
    expect(await modified(files(source), ['modules/vpc/main.tf'])).toEqual(['net']);
  });

  test.each([
    'git::https://github.com/acme/infra.git//modules/vpc?ref=v1.2.0',
    'git::https://github.com/acme/infra.git//modules/vpc?ref=0123456789abcdef0123456789abcdef01234567',
    'git::https://github.com/acme/other.git//modules/vpc',
    'hashicorp/consul/aws//modules/vpc',
  ])('is none at a version of its own, or from elsewhere: %s', async (source) => {
    expect(await modified(files(source), ['modules/vpc/main.tf'])).toEqual([]);
  });
});
