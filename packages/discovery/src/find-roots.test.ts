import { describe, expect, test } from '@jest/globals';
import { findRoots } from './find-roots.ts';
import { createParsedFiles } from './parsed-files.ts';
import { anyPolicy } from './testing/policy.ts';
import { treeOf } from './testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

const find = async (names: readonly string[], dirs: readonly string[] = ['network', 'database']) => {
  const tree = treeOf(Object.fromEntries(dirs.map((dir) => [`${dir}/main.tf`, BACKEND])));
  return findRoots({ tree, policy: anyPolicy(), parsed: createParsedFiles(), names });
};

test('roots are found by their names, once, in the order asked for', async () => {
  expect(await find(['network', 'database', 'network'])).toMatchObject({
    kind: 'roots',
    roots: [{ name: 'network' }, { name: 'database' }],
  });
});

describe('an unknown name', () => {
  test('is answered with the nearest one and the list', async () => {
    expect(await find(['netwrok', 'database'])).toEqual({
      kind: 'unknown',
      names: ['netwrok'],
      sentence: 'expected names of roots, found "netwrok" (did you mean network?); the roots are database, network',
    });
  });

  test('that resembles nothing gets the list alone', async () => {
    expect(await find(['xyz'])).toMatchObject({
      sentence: 'expected names of roots, found "xyz"; the roots are database, network',
    });
  });

  test('among many roots is answered with the first of them', async () => {
    const found = await find(
      ['x'],
      Array.from({ length: 30 }, (_, index) => `r${index + 10}`),
    );

    expect(found).toMatchObject({ sentence: expect.stringMatching(/r29 and 10 more$/) });
  });

  test('is quoted and cut, whatever is in it', async () => {
    const found = await find([`"\n${'a'.repeat(10_000)}`]);

    expect(found.kind === 'unknown' && found.sentence).toMatch(
      /^expected names of roots, found "\\"\\na{98}"; the roots/,
    );
  });

  test('in a revision without roots says that there are none', async () => {
    expect(await find(['x'], [])).toMatchObject({ kind: 'unknown', sentence: expect.stringContaining('no roots') });
  });
});
