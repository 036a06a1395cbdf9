import { expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const PROVISIONER = 'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "make deploy"\n  }\n}\n';
const FILES = { 'net/main.tf': BACKEND + PROVISIONER, 'app/main.tf': BACKEND, 'lib/h.py': '' };

async function discover(files: TestFiles, changed: readonly string[], before?: TestFiles) {
  const source = { tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles(), changed };
  const found = await discoverRoots(before ? { ...source, before: treeOf(before) } : source);
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return { modified: found.modified.map(({ root }) => root.name), unplanned: found.unplanned };
}

test('a change of a file that is no input names the roots that may read it all the same', async () => {
  expect(await discover(FILES, ['lib/h.py'])).toEqual({
    modified: [],
    unplanned:
      '"lib/h.py" is an input of no root, but a root that is not planned may read any file: net (net/main.tf has ' +
      'provisioner "local-exec"); name the file in a string of the root, or in its when_modified',
  });
});

test('beside a root that is modified, the others are named', async () => {
  expect(await discover(FILES, ['lib/h.py', 'app/main.tf'])).toEqual({
    modified: ['app'],
    unplanned: expect.stringContaining('may read any file: net (net/main.tf'),
  });
});

test.each([
  ['is planned', FILES, ['lib/h.py', 'net/main.tf']],
  ['does not exist', { 'net/main.tf': BACKEND }, ['lib/h.py']],
  ['says itself when it is modified', { ...FILES, 'nereid.yaml': declared('when_modified: ["*.tf"]') }, ['lib/h.py']],
])('nothing is said where such a root %s', async (_what, files: TestFiles, changed) => {
  expect((await discover(files, changed)).unplanned).toBeUndefined();
});

test.each([
  ['an input of another root', FILES, ['app/x.json']],
  ['documentation', FILES, ['README.md']],
  ["the repository's file", FILES, ['atlantis.yaml']],
  ['a file of a root that is not planned by itself', { ...FILES, 'atlantis.yaml': notByItself() }, ['app/x.json']],
])('nothing is said of %s', async (_what, files: TestFiles, changed) => {
  expect((await discover(files, changed)).unplanned).toBeUndefined();
});

test('nothing is said of files of a root that is deleted', async () => {
  const before = { ...FILES, 'old/main.tf': BACKEND };

  expect((await discover(FILES, ['old/main.tf', 'old/x.json'], before)).unplanned).toBeUndefined();
});

test('of many files and roots, it names some and counts the others', async () => {
  const roots = Array.from({ length: 9 }, (_, index) => [`r${index}/main.tf`, BACKEND + PROVISIONER] as const);
  const long = `lib/${'x'.repeat(1_000)}`;

  const { unplanned } = await discover(Object.fromEntries(roots), ['lib/h.py', 'lib/i.py', long]);

  expect(unplanned).toMatch(
    /^"lib\/h\.py" and 2 more are inputs of no root, but 9 roots that are not planned may read any/,
  );
  expect(unplanned).toMatch(/: r0 \(.*\), r1 \(.*\), r2 \(.*\) and 6 more; name the files in/);
  expect((await discover(Object.fromEntries(roots), [long])).unplanned?.length).toBeLessThan(1_500);
});

function declared(more: string): string {
  return `version: 1\nroots: [{ dir: net, ${more} }, { dir: app }]\n`;
}

function notByItself(): string {
  return 'version: 3\nprojects:\n- dir: net\n- dir: app\n  autoplan: { enabled: false }\n';
}
