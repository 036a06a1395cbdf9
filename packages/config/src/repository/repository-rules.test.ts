import { expect, test } from '@jest/globals';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { formatProblem } from '../yaml/problem.ts';
import { readRepositoryConfig } from './read-repository-config.ts';

const OPEN = policyWith(`
repositories:
  - match: acme/infra
    allowed_overrides: [plan_review, workflow]
    roots: { prod: { plan_review: required } }`);

test('a name starts with a letter or digit and goes on with letters, digits, ".", "_", "-"', () => {
  expect(problemsOf('roots: [{ dir: a, name: "-a b" }]')).toEqual([
    '2:19 roots[0].name: expected a letter or digit, then letters, digits, ".", "_" or "-", at most 100 in all, found "-a b"; rename the root',
  ]);
});

test('a name has at most 100 characters', () => {
  expect(problemsOf(`roots: [{ dir: a, name: ${'a'.repeat(100)} }]`)).toEqual([]);
  expect(problemsOf(`roots: [{ dir: a, name: ${'a'.repeat(101)} }]`)).toHaveLength(1);
});

test('no two roots have one name, in whatever case of letters', () => {
  expect(problemsOf('roots: [{ dir: a, name: net }, { dir: b, name: Net }]')).toEqual([
    '2:42 roots[1].name: expected a name that no other root has, found "Net", which is roots[0] already; give one of them another name',
  ]);
});

test('a name made from a directory counts as a name', () => {
  expect(problemsOf('roots: [{ dir: a/b }, { dir: c, name: a-b }]')).toHaveLength(1);
});

test.each(['..', '../b', 'a/../../b', '/etc', String.raw`"..\\b"`, '"a\\u0000b"'])(
  'the directory %s is outside the repository',
  (dir) => {
    expect(problemsOf(`roots: [{ name: a, dir: ${dir} }]`)).toEqual([
      expect.stringContaining('roots[0].dir: expected a directory inside the repository'),
    ]);
  },
);

test.each(['.', 'a', './a/', 'a/../b', '..a', 'a b'])('the directory %s is inside the repository', (dir) => {
  expect(problemsOf(`roots: [{ name: a, dir: ${dir} }]`)).toEqual([]);
});

test('a directory has each of its workspaces once', () => {
  expect(problemsOf('roots: [{ dir: a, name: x }, { dir: ./a/, name: y }]')).toEqual([
    '2:32 roots[1].dir: expected each directory and workspace once, found "a" with workspace "default", which is roots[0] already; remove one, or give it another workspace or a directory of its own',
  ]);
});

test('a directory can have several workspaces', () => {
  expect(problemsOf('roots: [{ dir: a, name: x }, { dir: a, name: y, workspace: staging }]')).toEqual([]);
});

test('a file of variables may be above its root, not outside the repository', () => {
  expect(problemsOf('roots: [{ dir: a/b, var_files: [../../env/prod.tfvars] }]')).toEqual([]);
  expect(problemsOf('roots: [{ dir: a/b, var_files: [../../../prod.tfvars] }]')).toEqual([
    '2:33 roots[0].var_files[0]: expected a file inside the repository, relative to "a/b", found "../../../prod.tfvars"; move the file into the repository',
  ]);
});

test('a pattern stays inside the repository, negated or not', () => {
  expect(problemsOf('roots: [{ dir: a, when_modified: ["*.tf", "../b/**", "!../b/*.md"] }]')).toEqual([]);
  expect(problemsOf('roots: [{ dir: a, when_modified: ["!../../b/*.tf"] }]')).toEqual([
    '2:35 roots[0].when_modified[0]: expected a pattern inside the repository, relative to "a", found "!../../b/*.tf"; remove the leading "/" or a ".."',
  ]);
});

test.each(['*a*a*a*a*', '**/a/**/b/**/c/**/d', '+(a|aa)', 'a'.repeat(501)])(
  'the pattern %s would take too long to match',
  (pattern) => {
    expect(problemsOf(`roots: [{ dir: a, when_modified: ["${pattern}"] }]`)).toEqual([
      expect.stringContaining('roots[0].when_modified[0]: expected a pattern of at most 500 characters'),
    ]);
  },
);

test('what autodiscovery ignores follows the rules of patterns', () => {
  expect(problemsOf('autodiscover: { ignore: ["examples/**", "/etc", "*a*a*a*a"] }')).toEqual([
    expect.stringContaining('autodiscover.ignore[1]'),
    expect.stringContaining('autodiscover.ignore[2]'),
  ]);
});

test('a workflow is one of the server', () => {
  expect(problemsOf('roots: [{ dir: a, workflow: fast }]')).toEqual([
    '2:19 roots[0].workflow: expected a workflow of the server ("standard"), found "fast"; name one of these',
  ]);
});

test('a repository sets only what the server lets it', () => {
  expect(problemsOf('roots: [{ dir: a, plan_review: auto, queue: newest }]')).toEqual([
    '2:38 roots[0].queue: expected only what the server lets this repository set (plan_review, workflow), found "newest"; remove it, or ask those who run the server',
  ]);
});

test('a repository sets a timeout only where the server lets it', () => {
  expect(problemsOf('roots: [{ dir: a, timeout: { apply: 2h } }]')).toEqual([
    '2:19 roots[0].timeout: expected only what the server lets this repository set (plan_review, workflow), found a mapping; remove it, or ask those who run the server',
  ]);
});

test('what a rule of the server sets is not overridden', () => {
  expect(problemsOf('roots: [{ dir: prod/a, plan_review: auto }]')).toEqual([
    '2:24 roots[0].plan_review: expected nothing, because the server has a rule for the root "prod-a", found "auto"; remove it, or ask those who run the server',
  ]);
});

function problemsOf(yaml: string, policy: RepositoryPolicy = OPEN): readonly string[] {
  const read = readRepositoryConfig({ file: 'nereid.yaml', text: `version: 1\n${yaml}\n`, policy });
  if (read.kind === 'ok') return [];
  return read.problems.map((problem) => formatProblem(problem, '').replace(/^:/, ''));
}
