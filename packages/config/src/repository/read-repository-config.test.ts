import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import { formatProblem } from '../yaml/problem.ts';
import { readRepositoryConfig } from './read-repository-config.ts';
import type { RepositoryConfigRead } from './repository-config.ts';

const POLICY = policyWith(`
repositories:
  - match: acme/infra
    allowed_overrides: [plan_review, workflow, terraform_version, distribution, queue, on_failure, timeout]
    roots: { fixed: { queue: every } }`);

test('every key becomes a setting', () => {
  const read = readNereid(`
version: 1
roots:
  - name: network
    dir: infra/network
    workspace: staging
    enabled: false
    terraform_version: "1.11.4"
    distribution: tofu
    when_modified: ["*.tf", "../modules/vpc/**", "!README.md"]
    plan_review: auto_unless_destroy
    queue: newest
    on_failure: halt
    timeout: { plan: 30m, apply: 2h }
    var_files: [prod.tfvars]
    workflow: standard
autodiscover: { mode: enabled, ignore: ["examples/**"] }
`);

  expect(read).toEqual({
    kind: 'ok',
    warnings: [],
    config: {
      source: 'nereid.yaml',
      roots: [
        {
          name: 'network',
          dir: 'infra/network',
          dirAt: { path: 'roots[0].dir', line: 5, column: 5 },
          workspace: 'staging',
          enabled: false,
          terraformVersion: '1.11.4',
          distribution: 'tofu',
          whenModified: ['*.tf', '../modules/vpc/**', '!README.md'],
          planReview: 'auto_unless_destroy',
          queue: 'newest',
          onFailure: 'halt',
          timeoutMs: { plan: 1_800_000, apply: 7_200_000 },
          varFiles: ['prod.tfvars'],
          workflow: 'standard',
        },
      ],
      autodiscover: { mode: 'enabled', ignore: ['examples/**'] },
    },
  });
});

test('a root needs only a directory', () => {
  const read = readNereid('version: 1\nroots: [{ dir: ./infra//network/ }, { dir: . }]\n');

  expect(read.kind === 'ok' && read.config).toEqual({
    source: 'nereid.yaml',
    roots: [
      {
        name: 'infra-network',
        dir: 'infra/network',
        dirAt: { path: 'roots[0].dir', line: 2, column: 11 },
        workspace: 'default',
        enabled: true,
        varFiles: [],
      },
      {
        name: 'root',
        dir: '.',
        dirAt: { path: 'roots[1].dir', line: 2, column: 39 },
        workspace: 'default',
        enabled: true,
        varFiles: [],
      },
    ],
    autodiscover: { mode: 'auto', ignore: [] },
  });
});

describe('a file that is wrong', () => {
  test('has every problem reported at once, in the order of the file', () => {
    const read = readNereid(`version: 2
root: []
roots:
  - name: 5
    dir: a
    terraform_version: 1.10
    plan_review: autos
    when_modified: "*.tf"
  - dirr: b
  - just a text
autodiscover: { mode: on }
`);

    expect(linesOf(read)).toEqual([
      'nereid.yaml:1:1 version: expected 1, the version of nereid.yaml, found 2; write version: 1, or call the file atlantis.yaml if it is written for Atlantis',
      'nereid.yaml:2:1 root: expected a known key, found "root"; did you mean "roots"?',
      'nereid.yaml:4:5 roots[0].name: expected a name, found 5',
      'nereid.yaml:6:5 roots[0].terraform_version: expected an exact version in quotes, like "1.11.4", found 1.1',
      'nereid.yaml:7:5 roots[0].plan_review: expected one of "auto", "auto_unless_destroy", "before_merge", "required" (did you mean "auto"?), found "autos"',
      'nereid.yaml:8:5 roots[0].when_modified: expected a list, found "*.tf"',
      'nereid.yaml:9:5 roots[1].dir: expected the directory of the root, relative to the top of the repository, found nothing; add it',
      'nereid.yaml:9:5 roots[1].dirr: expected a known key, found "dirr"; did you mean "dir"?',
      'nereid.yaml:10:5 roots[2]: expected a mapping, found "just a text"',
      'nereid.yaml:11:17 autodiscover.mode: expected one of "auto", "enabled", "disabled", found "on"',
    ]);
  });

  test('has what the rules find reported with what the schema finds', () => {
    const read = readNereid(`version: 1
roots:
  - dir: ../x
    plan_review: autos
    var_files: [5]
  - { dir: a, name: same, colour: red }
  - { dir: b, name: Same, workflow: unknown, when_modified: ["/etc", "*a*a*a*a"], queue: 5 }
  - { dir: c, name: "-", enabled: maybe }
  - { dir: ../y, name: [] }
autodiscover: { mode: on, ignore: ["../z"] }
`);

    expect(linesOf(read)).toEqual([
      expect.stringMatching(/:3:5 roots\[0\]\.dir: expected a directory inside the repository, .*found "\.\.\/x"/),
      expect.stringContaining(':4:5 roots[0].plan_review: '),
      expect.stringContaining(':5:17 roots[0].var_files[0]: '),
      expect.stringContaining(':6:27 roots[1].colour: '),
      expect.stringContaining(':7:15 roots[2].name: expected a name that no other root has'),
      expect.stringContaining(':7:27 roots[2].workflow: expected a workflow of the server'),
      expect.stringContaining(':7:62 roots[2].when_modified[0]: expected a pattern inside the repository'),
      expect.stringContaining(':7:70 roots[2].when_modified[1]: expected a pattern of at most 500 characters'),
      expect.stringContaining(':7:83 roots[2].queue: '),
      expect.stringContaining(':8:15 roots[3].name: expected a letter or digit'),
      expect.stringContaining(':8:26 roots[3].enabled: '),
      expect.stringContaining(':9:7 roots[4].dir: expected a directory inside the repository'),
      'nereid.yaml:9:18 roots[4].name: expected a name, found an empty list',
      expect.stringContaining(':10:17 autodiscover.mode: '),
      expect.stringContaining(':10:36 autodiscover.ignore[0]: expected a pattern inside the repository'),
    ]);
  });

  test.each([
    ['a name that is none does not clash', '[{ dir: a/b }, { dir: a-b, name: 5 }]', ['roots[1].name']],
    [
      'a workspace that is none does not clash',
      '[{ dir: a, name: x }, { dir: a, name: y, workspace: "a b" }]',
      ['roots[1].workspace'],
    ],
    ['a name that is none is not fixed by the server', '[{ dir: fixed, name: 5, queue: newest }]', ['roots[0].name']],
    [
      'files and patterns of a directory outside are not outside once more',
      '[{ dir: ../x, name: x, var_files: [a.tfvars], when_modified: ["*.tf"] }]',
      ['roots[0].dir'],
    ],
    [
      'a directory that is missing is nowhere',
      '[{ name: a, workflow: standard }, { name: b }]',
      ['roots[0].dir', 'roots[1].dir'],
    ],
  ])('has nothing reported that only follows: %s', (_title, roots, paths) => {
    const read = readNereid(`version: 1\nroots: ${roots}\n`);

    expect(read.kind === 'invalid' && read.problems.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ['3', 'found 3; write version: 1, or call the file atlantis.yaml if it is written for Atlantis'],
    ['"1"', 'found "1"; write version: 1'],
    ['', 'found an empty value; write version: 1'],
  ])('a file with version %j says which one it should have', (version, found) => {
    expect(linesOf(readNereid(`version: ${version}\n`))).toEqual([
      `nereid.yaml:1:1 version: expected 1, the version of nereid.yaml, ${found}`,
    ]);
  });

  test('without a version says which one it should have', () => {
    expect(linesOf(readNereid('roots: []\n'))).toEqual([
      'nereid.yaml:1:1 version: expected 1, the version of nereid.yaml, found nothing; write version: 1',
    ]);
  });

  test.each(['nereid.yaml', 'atlantis.yaml'] as const)(
    'an empty file names the least that makes it right: %s',
    (file) => {
      const empty = readRepositoryConfig({ file, text: '# nothing yet\n', policy: POLICY });

      expect(linesOf(empty)).toEqual([
        expect.stringMatching(/^nereid.yaml:1:1 expected at least version: \d, found an empty file/),
      ]);
      const [, least = ''] = /at least (.*), found/.exec(linesOf(empty).join()) ?? [];
      expect(readRepositoryConfig({ file, text: least, policy: POLICY })).toMatchObject({ kind: 'ok' });
    },
  );

  test('names the known keys where none is near', () => {
    expect(linesOf(readNereid('version: 1\nautomerge: true\n'))).toEqual([
      'nereid.yaml:2:1 automerge: expected a known key, found "automerge"; known keys are version, include, roots, autodiscover',
    ]);
  });

  test('may be no mapping at all', () => {
    expect(linesOf(readNereid('- a\n'))).toEqual(['nereid.yaml:1:1 expected a mapping, found a list of 1']);
  });

  test('cannot bring control characters or long texts into a report', () => {
    const lines = linesOf(readNereid(`version: 1\nroots: "\\e[31m\\u202e${'x'.repeat(500)}"\n`));

    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines.join('').length).toBeLessThan(200);
  });

  test('with 10,001 roots is refused', () => {
    const roots = Array.from({ length: 10_001 }, (_, n) => `  - dir: r${n}`).join('\n');

    expect(linesOf(readNereid(`version: 1\nroots:\n${roots}\n`))).toEqual([
      expect.stringContaining('a list of at most 10000'),
    ]);
  });
});

function readNereid(text: string): RepositoryConfigRead {
  return readRepositoryConfig({ file: 'nereid.yaml', text, policy: POLICY });
}

function linesOf(read: RepositoryConfigRead): readonly string[] {
  if (read.kind === 'ok') throw new Error('expected problems');
  return read.problems.map((problem) => formatProblem(problem, 'nereid.yaml'));
}
