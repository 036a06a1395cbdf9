import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPatternCompiler } from './when-modified.ts';

const matches = (patterns: readonly string[], path: string, dir = 'infra/net') =>
  createPatternCompiler()(dir, patterns)(path);

describe('a pattern', () => {
  test.each([
    ['*.tf', 'infra/net/main.tf', true],
    ['*.tf', 'infra/net/.hidden.tf', true],
    ['*.tf', 'infra/net/sub/main.tf', false],
    ['*.tf', 'main.tf', false],
    ['*.tf', 'infra/network/main.tf', false],
    ['**/*.tf', 'infra/net/sub/deep/main.tf', true],
    ['**/*.tf', 'infra/net/main.tf', true],
    ['**', 'infra/net/any/thing', true],
    ['**.tf', 'infra/net/main.tf', true],
    ['**.tf', 'infra/net/sub/deep/main.tf', true],
    ['**.tf', 'infra/net/sub/main.json', false],
    ['../../modules/**.tf*', 'modules/a/b/main.tfvars', true],
    ['a**.tf', 'infra/net/ab/c/x.tf', true],
    ['a**.tf', 'infra/net/b/a/x.tf', false],
    ['a**', 'infra/net/ab/c/x.tf', true],
    ['**a**b', 'infra/net/x/ca/xb', true],
    ['./main.tf', 'infra/net/main.tf', true],
    ['main.tf', 'infra/net/main.tf', true],
    ['sub', 'infra/net/sub/deep/file', true],
    ['s*', 'infra/net/sub/deep/file', true],
    ['sub/**', 'infra/net/sub', false],
    ['*.{tf,json}', 'infra/net/x.json', true],
    ['[ab].tf', 'infra/net/a.tf', true],
    ['[ab].tf', 'infra/net/c.tf', false],
    ['?.tf', 'infra/net/a.tf', true],
    ['a/**/b/*.tf', 'infra/net/a/x/y/b/z.tf', true],
    ['a/**/b/*.tf', 'infra/net/a/b/z.tf', true],
    ['a/**/b/*.tf', 'infra/net/a/b/c/z.tf', false],
    ['{a/b,c}/*.tf', 'infra/net/a/b/x.tf', true],
  ])('%s, and the file %s: %s', (pattern, path, expected) => {
    expect(matches([pattern], path)).toBe(expected);
  });

  test.each([
    ['../../modules/vpc/**', 'modules/vpc/main.tf', true],
    ['../../modules/vpc', 'modules/vpc/main.tf', true],
    ['../shared/*.tf', 'infra/shared/x.tf', true],
    ['../../*.tfvars', 'prod.tfvars', true],
    ['../../../**', 'anything', false],
    ['/etc/*', 'infra/net/etc/passwd', true],
  ])('may lead to other directories, but not out of the repository: %s, %s: %s', (pattern, path, expected) => {
    expect(matches([pattern], path)).toBe(expected);
  });

  test('is relative to the top for a root that is there', () => {
    expect(matches(['*.tf'], 'main.tf', '.')).toBe(true);
    expect(matches(['../*.tf'], 'main.tf', '.')).toBe(false);
  });

  test("takes the characters of the root's own directory as they are", () => {
    expect(matches(['*.tf'], 'a[b]/{c}*/main.tf', 'a[b]/{c}*')).toBe(true);
  });
});

describe('several patterns', () => {
  test('match when one does', () => {
    expect(matches(['*.tf', '*.json'], 'infra/net/a.json')).toBe(true);
  });

  test('let the last one that matches decide', () => {
    expect(matches(['**', '!README.md'], 'infra/net/README.md')).toBe(false);
    expect(matches(['!README.md', '**'], 'infra/net/README.md')).toBe(true);
    expect(matches(['**', '!docs', 'docs/keep.tf'], 'infra/net/docs/keep.tf')).toBe(true);
  });

  test('of which none matches match nothing; an empty list never does', () => {
    expect(matches(['!*.md'], 'infra/net/main.tf')).toBe(false);
    expect(matches([], 'infra/net/main.tf')).toBe(false);
  });
});

test('no pattern and no path take long, or fail', () => {
  const part = fc.constantFrom('*', '**', 'a*a*a*a*a*b', '{a', '[', '(a+)+', '..', 'a', '!(a)', '\\');
  const pattern = fc.array(part, { maxLength: 30 }).map((parts) => parts.join('/'));

  fc.assert(
    fc.property(
      pattern,
      (each) => typeof matches([each], `infra/net/${'a'.repeat(250)}/${'a/'.repeat(200)}b`) === 'boolean',
    ),
  );
});
