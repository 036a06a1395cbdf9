import { describe, expect, test } from '@jest/globals';
import { findTouching } from './find-touching.ts';
import { createParsedFiles } from './parsed-files.ts';
import { anyPolicy } from './testing/policy.ts';
import { treeOf } from './testing/tree-of.ts';

const MAIN = 'terraform {\n  backend "s3" {}\n}\nmodule "vpc" {\n  source = "../modules/vpc"\n}\n';
const PROVISIONER = 'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "make deploy"\n  }\n}\n';
const FILES = { 'network/main.tf': MAIN, 'modules/vpc/main.tf': '', 'database/main.tf': MAIN };

const touching = async (
  changes: readonly (readonly string[])[],
  more = {},
  rootName = 'network',
  policy = anyPolicy(),
) =>
  findTouching({
    tree: treeOf({ ...FILES, ...more }),
    policy,
    parsed: createParsedFiles(),
    rootName,
    changes,
  });

test('a commit touches a root by its own files, its modules, and the names of files that are gone', async () => {
  const changes = [['network/a.tf'], ['README.md', 'modules/vpc/gone.tf'], ['database/main.tf'], []];

  expect(await touching(changes)).toEqual({ kind: 'touching', isTouched: [true, true, false, false] });
});

test.each([
  ['a file that Terraform reads', 'network/policy.json'],
  ['a script', 'network/scripts/bootstrap.sh'],
  ['a template of a module', 'modules/vpc/user-data.tpl'],
  ['configuration for the other program', 'network/main.tofu'],
])('a commit of %s touches the root', async (_what, path) => {
  expect(await touching([[path]])).toEqual({ kind: 'touching', isTouched: [true] });
});

test('when_modified of the repository does not say who counts, and a commit of that file counts', async () => {
  const declared = { 'nereid.yaml': 'version: 1\nroots: [{ dir: network, when_modified: ["*.json"] }]\n' };

  const found = await touching([['network/a.tf'], ['nereid.yaml'], ['atlantis.yaml'], ['README.md']], declared);

  expect(found).toEqual({ kind: 'touching', isTouched: [true, true, true, false] });
});

describe('a root that may read other files than its inputs is touched by every commit that changes a file', () => {
  const all = { kind: 'touching', isTouched: [true, true, false] };
  const changes = [['lib/h.py'], ['README.md'], []];

  test.each([
    ['provisioner', PROVISIONER],
    ['external data source', 'data "external" "x" {\n  program = ["make", "deploy"]\n}\n'],
  ])('every commit touches a root that has a %s', async (_what, text) => {
    expect(await touching(changes, { 'network/main.tf': MAIN + text })).toEqual(all);
  });

  test('through the provisioner of a module', async () => {
    expect(await touching(changes, { 'modules/vpc/main.tf': PROVISIONER })).toEqual(all);
  });

  test('through a step that runs a command', async () => {
    const steps = { plan: [{ kind: 'run', run: 'make' } as const], apply: [] };
    const policy = { ...anyPolicy(), workflows: new Map([['standard', steps]]) };

    const found = await touching(changes, {}, 'network', policy);

    expect(found).toEqual(all);
  });
});

test('a root that the last commit does not have is unknown', async () => {
  expect(await touching([['network/a.tf']], {}, 'netwrok')).toEqual({ kind: 'unknown' });
});

test('a configuration that cannot be read is answered with its problems', async () => {
  expect(await touching([], { 'nereid.yaml': 'version: 7\n' })).toMatchObject({ kind: 'problems' });
});
