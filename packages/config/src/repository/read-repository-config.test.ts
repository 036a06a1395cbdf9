import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../server/policy.fixture.ts';
import { formatProblem } from '../yaml/problem.ts';
import { readRepositoryConfig } from './read-repository-config.ts';
import type { RepositoryConfigRead } from './repository-config.ts';

const POLICY = policyWith(`
repositories:
  - match: acme/infra
    allowed_overrides: [plan_review, workflow, terraform_version, distribution, queue, on_failure]`);

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
          workspace: 'staging',
          enabled: false,
          terraformVersion: '1.11.4',
          distribution: 'tofu',
          whenModified: ['*.tf', '../modules/vpc/**', '!README.md'],
          planReview: 'auto_unless_destroy',
          queue: 'newest',
          onFailure: 'halt',
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
      { name: 'infra-network', dir: 'infra/network', workspace: 'default', enabled: true, varFiles: [] },
      { name: 'root', dir: '.', workspace: 'default', enabled: true, varFiles: [] },
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
      'nereid.yaml:1:1 version: expected 1, the version of this format, found 2',
      'nereid.yaml:2:1 root: expected a known key, found "root"; did you mean "roots"?',
      'nereid.yaml:4:5 roots[0].name: expected a name, found 5',
      'nereid.yaml:6:5 roots[0].terraform_version: expected an exact version in quotes, like "1.11.4", found 1.1',
      'nereid.yaml:7:5 roots[0].plan_review: expected one of "required", "auto", "auto_unless_destroy" (did you mean "auto"?), found "autos"',
      'nereid.yaml:8:5 roots[0].when_modified: expected a list, found "*.tf"',
      'nereid.yaml:9:5 roots[1].dir: expected the directory of the root, relative to the top of the repository, found nothing; add it',
      'nereid.yaml:9:5 roots[1].dirr: expected a known key, found "dirr"; did you mean "dir"?',
      'nereid.yaml:10:5 roots[2]: expected a mapping, found "just a text"',
      'nereid.yaml:11:17 autodiscover.mode: expected one of "auto", "enabled", "disabled", found "on"',
    ]);
  });

  test('names the known keys where none is near', () => {
    expect(linesOf(readNereid('version: 1\nautomerge: true\n'))).toEqual([
      'nereid.yaml:2:1 automerge: expected a known key, found "automerge"; known keys are version, roots, autodiscover',
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
