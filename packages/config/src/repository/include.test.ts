import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import { formatProblem } from '../yaml/problem.ts';
import { createIsIncluded, includedProblem, includesOf } from './include.ts';
import { readRepositoryConfig } from './read-repository-config.ts';

const MAIN = 'version: 1\ninclude: ["roots/*.yaml"]\nroots:\n  - dir: top\n';

function read(text: string, files: Readonly<Record<string, string>>) {
  const included = Object.entries(files).map(([path, content]) => ({ path, text: content }));
  return readRepositoryConfig({
    file: 'nereid.yaml',
    text,
    included,
    policy: policyWith('repositories: [{ match: acme/* }]'),
  });
}

/** Problems or warnings, each with its file and line. */
function findingsOf(text: string, files: Readonly<Record<string, string>>): readonly string[] {
  const result = read(text, files);
  const findings = result.kind === 'invalid' ? result.problems : result.warnings;
  return findings.map((finding) => formatProblem(finding, 'nereid.yaml'));
}

describe('a repository in several files', () => {
  test('has the roots of all, and each knows its file', () => {
    const result = read(MAIN, {
      'roots/data.yaml': 'version: 1\nroots: [{ dir: data/db, depends_on: [top] }]\n',
      'roots/empty.yaml': 'version: 1\n',
      'roots/net.yaml': 'version: 1\nroots:\n  - dir: net/a\n  - dir: net/b\n',
    });

    expect(result).toMatchObject({
      kind: 'ok',
      config: {
        roots: [
          { name: 'top', dirAt: { file: 'nereid.yaml', path: 'roots[0].dir', line: 4 } },
          { name: 'data-db', dirAt: { file: 'roots/data.yaml', path: 'roots[0].dir', line: 2 } },
          { name: 'net-a', dirAt: { file: 'roots/net.yaml', path: 'roots[0].dir', line: 3 } },
          { name: 'net-b', dirAt: { file: 'roots/net.yaml', path: 'roots[1].dir', line: 4 } },
        ],
      },
    });
  });

  test('may have all of its roots in others', () => {
    const result = read('version: 1\ninclude: [roots.yaml]\n', { 'roots.yaml': 'version: 1\nroots: [{ dir: a }]\n' });

    expect(result).toMatchObject({ kind: 'ok', config: { roots: [{ name: 'a' }] } });
  });

  test('is judged as one: a problem names the file and the line in it', () => {
    const files = {
      'roots/a.yaml': 'version: 1\nroots:\n  - { dir: a, plan_reviw: auto }\n  - { dir: ../x }\n',
      'roots/b.yaml': 'version: 1\nroots: [{ dir: b, depends_on: [c] }]\n',
    };

    expect(findingsOf(MAIN, files)).toEqual([
      expect.stringMatching(/^roots\/a\.yaml:3:\d+ roots\[0\]\.plan_reviw: expected a known key/),
      expect.stringMatching(/^roots\/a\.yaml:4:\d+ roots\[1\]\.dir: expected a directory inside the repository/),
      expect.stringMatching(/^roots\/b\.yaml:2:\d+ roots\[0\]\.depends_on\[0\]: expected .*"c"/),
    ]);
  });

  test('has each name, and each directory and workspace, in one of them: an error names both', () => {
    const files = {
      'roots/a.yaml': 'version: 1\nroots:\n  - dir: a\n  - { dir: other, name: Top }\n  - { dir: top, name: x }\n',
    };

    expect(findingsOf(MAIN, files)).toEqual([
      expect.stringMatching(
        /^roots\/a\.yaml:4:\d+ roots\[1\]\.name: .*"Top", which is roots\[0\] of nereid\.yaml already; give/,
      ),
      expect.stringMatching(
        /^roots\/a\.yaml:5:\d+ roots\[2\]\.dir: .* which is roots\[0\] of nereid\.yaml already; remove one/,
      ),
    ]);
  });

  test('needs a file for each pattern: otherwise its roots would be gone without a word', () => {
    expect(findingsOf('version: 1\ninclude: [a.yaml, "b/*.yaml"]\n', { 'a.yaml': 'version: 1\n' })).toEqual([
      'nereid.yaml:2:19 include[1]: expected files of this revision that match "b/*.yaml", found none; correct it, or add the file',
    ]);
  });
});

describe('an included file', () => {
  test.each([
    [
      'include: [b.yaml]',
      'include: expected no include in an included file, found a list of 1; name its files in nereid.yaml',
    ],
    [
      'autodiscover: { mode: enabled }',
      'autodiscover: expected no autodiscover in an included file, found a mapping; move it to nereid.yaml',
    ],
    ['projects: []', 'projects: expected a known key, found "projects"'],
    ['roots: { a: b }', 'roots: expected a list of roots'],
  ])('declares roots and nothing else: %s', (line, message) => {
    expect(findingsOf(MAIN, { 'roots/a.yaml': `version: 1\n${line}\n` })).toEqual([
      expect.stringContaining(`roots/a.yaml:2:1 ${message}`),
    ]);
  });

  test.each([
    ['roots: []\n', /^roots\/a\.yaml:1:1 version: expected 1, the version of nereid\.yaml/],
    ['', /^roots\/a\.yaml:1:1 expected at least version: 1, found an empty file/],
    ['a: [', /^roots\/a\.yaml:\d+:\d+ expected valid YAML/],
  ])('is a file of its own: %j', (text, message) => {
    expect(findingsOf(MAIN, { 'roots/a.yaml': text })[0]).toMatch(message);
  });
});

describe('a pattern', () => {
  test.each(['roots.yaml', 'roots/*.yaml', 'teams/**/roots.yml', '*/*/nereid-roots.yaml', '.nereid/a_b-c.yaml'])(
    'names files of the repository: %s',
    (pattern) => {
      expect(includesOf(`include: ["${pattern}"]`)).toEqual([pattern]);
    },
  );

  test.each([
    '/etc/a.yaml',
    '../a.yaml',
    'a/../b.yaml',
    './a.yaml',
    'a',
    'a.json',
    '~/a.yaml',
    'a*b*c*d.yaml',
    'a//b.yaml',
    '{a,b}.yaml',
  ])('names nothing else: %s', (pattern) => {
    expect(includesOf(`include: ["${pattern}"]`)).toEqual([]);
    expect(findingsOf(`version: 1\ninclude: ["${pattern}"]\n`, {})).toEqual([
      expect.stringContaining('include[0]: expected a YAML file of this repository, from its top'),
    ]);
  });

  test('does not cross directories with one star, and never includes the main file', () => {
    const isIncluded = createIsIncluded(['*.yaml', 'a/**/r.yaml']);

    expect(['x.yaml', 'a/r.yaml', 'a/b/c/r.yaml', '.x.yaml'].filter(isIncluded)).toHaveLength(4);
    expect(['nereid.yaml', 'a/x.yaml', 'b/r.yaml', 'x.yml'].filter(isIncluded)).toEqual([]);
  });

  test.each([
    ['**/b.yaml', 'b.yaml', true],
    ['**/b.yaml', 'a/a/b.yaml', true],
    ['a/**/b/**/c.yaml', 'a/x/b/b/y/c.yaml', true],
    ['a/**/b/**/c.yaml', 'a/x/y/c.yaml', false],
    ['**/a/c.yaml', 'a/b/a/c.yaml', true],
    ['**/a/c.yaml', 'a/c.yaml/c.yaml', false],
    ['**.yaml', 'a/b.yaml', true],
    ['a/**-b.yaml', 'a/c/x-b.yaml', true],
    ['a**b.yaml', 'a-b.yaml', true],
    ['a**b.yaml', 'a/b.yaml', false],
    ['a.yaml', 'b/a.yaml', false],
    ['a.yaml', 'a.yaml/b.yaml', false],
    ['a/b.yaml', 'a-b.yaml', false],
  ])('matches a whole path: %s, and the file %s: %s', (pattern, path, expected) => {
    expect(createIsIncluded([pattern])(path)).toBe(expected);
  });

  test.each(['*a*/', '**/*a*/'])('takes no time, however many parts it has: %s', (part) => {
    const path = `${'a'.repeat(250)}/`.repeat(8);
    const isIncluded = createIsIncluded([`${part.repeat(8)}b.yaml`]);

    expect([`${path}c.yaml`, `${path}b.yaml`].map(isIncluded)).toEqual([false, true]);
  });
});

test('included files are limited in number, and in size together', () => {
  const MIB = 1024 * 1024;

  expect(includedProblem(100, ['a'.repeat(4 * MIB)])).toBeUndefined();
  expect(includedProblem(101)).toBe('expected at most 100 included files, found 101; put more roots into each');
  expect(includedProblem(2, ['a'.repeat(4 * MIB), 'é'])).toBe(
    'expected included files of at most 4194304 bytes in all, found 4194306; make them smaller',
  );
});
