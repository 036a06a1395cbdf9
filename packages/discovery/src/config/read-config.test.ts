import { describe, expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { findTouching } from '../find-touching.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const declaring = (...dirs: readonly string[]) =>
  `version: 1\nroots: [${dirs.map((dir) => `{ dir: ${dir} }`).join(', ')}]\n`;

const FILES = {
  'nereid.yaml': 'version: 1\ninclude: ["roots/*.yaml"]\n',
  'roots/a.yaml': declaring('a', 'b'),
  'roots/c.yaml': declaring('c'),
  'a/main.tf': BACKEND,
  'b/main.tf': BACKEND,
  'c/main.tf': BACKEND,
};

const discover = (files: TestFiles, changed: readonly string[], before?: TestFiles) =>
  discoverRoots({
    ...{ tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles(), changed },
    ...(before && { before: treeOf(before) }),
  });

async function problemsOf(files: TestFiles) {
  const found = await discover(files, []);
  return found.kind === 'problems' ? found.problems : [];
}

describe('a file that nereid.yaml includes', () => {
  test('is read at the same revision', async () => {
    expect(await discover(FILES, ['c/main.tf'])).toMatchObject({ all: 3, modified: [{ root: { name: 'c' } }] });
  });

  test('modifies the roots whose entries a change of it changes, as nereid.yaml does', async () => {
    const after = { ...FILES, 'roots/a.yaml': 'version: 1\nroots: [{ dir: a }, { dir: b, workspace: blue }]\n' };

    expect(await discover(after, ['roots/a.yaml'], FILES)).toMatchObject({
      modified: [{ root: { name: 'b', workspace: 'blue' }, why: ['roots/a.yaml'] }],
      deleted: [],
    });
  });

  test('adds its roots with itself, and takes them away', async () => {
    const { 'roots/c.yaml': _removed, ...without } = FILES;

    expect(await discover(FILES, ['roots/c.yaml'], without)).toMatchObject({
      modified: [{ root: { name: 'c' }, why: ['roots/c.yaml'] }],
    });
    expect(await discover(without, ['roots/c.yaml'], FILES)).toMatchObject({ modified: [], deleted: ['c'] });
  });

  test('changes no root that moves to another file', async () => {
    const after = { ...FILES, 'roots/a.yaml': declaring('a'), 'roots/c.yaml': declaring('c', 'b') };

    expect(await discover(after, ['roots/a.yaml', 'roots/c.yaml'], FILES)).toMatchObject({ modified: [], deleted: [] });
  });

  test('is what everybody touches who changes it', async () => {
    const changes = [['roots/a.yaml'], ['roots/other.txt'], ['other/a.yaml']];
    const stretch = { tree: treeOf(FILES), policy: anyPolicy(), parsed: createParsedFiles(), rootName: 'c', changes };

    expect(await findTouching(stretch)).toEqual({ kind: 'touching', isTouched: [true, false, false] });
  });
});

describe('a problem says which file has it', () => {
  test('where it is wrong', async () => {
    expect(await problemsOf({ ...FILES, 'roots/c.yaml': declaring('c', '../d') })).toEqual([
      { file: 'roots/c.yaml', path: 'roots[1].dir', line: 2, column: expect.any(Number), message: expect.any(String) },
    ]);
  });

  test('where it is a link, which could lead out of the repository', async () => {
    expect(await problemsOf({ ...FILES, 'roots/d.yaml': { link: '/etc/passwd' } })).toEqual([
      {
        path: '',
        message: 'expected roots/d.yaml to be a file, found a symbolic link; put the configuration itself there',
      },
    ]);
    expect(await problemsOf({ 'nereid.yaml': FILES['nereid.yaml'], roots: { link: '../others' } })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('match "roots/*.yaml", found none') }),
    ]);
  });
});

describe('there are bounds', () => {
  test('for the number of files', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`roots/${index}.yaml`, 'version: 1\n']));

    expect(await problemsOf({ 'nereid.yaml': FILES['nereid.yaml'], ...many })).toEqual([
      { path: '', message: 'expected at most 100 included files, found 101; put more roots into each' },
    ]);
  });

  test('for their size', async () => {
    const large = `version: 1\n#${'x'.repeat(1_000_000)}\n`;
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`roots/${index}.yaml`, large]));

    expect(await problemsOf({ 'nereid.yaml': FILES['nereid.yaml'], ...files })).toEqual([
      {
        path: '',
        message: expect.stringMatching(/^expected included files of at most 4194304 bytes in all, found 5\d+; /),
      },
    ]);
  });
});
