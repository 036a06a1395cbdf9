import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import { formatProblem } from '../yaml/problem.ts';
import { readRepositoryConfig, type RepositorySource } from './read-repository-config.ts';

const POLICY = policyWith('repositories: [{ match: acme/infra }]');

test.each(['nereid.yaml', 'atlantis.yaml'] as const)('%s declares at most 10,000 roots', (file) => {
  expect(problemsOf(file, rootsIn(file, 10_000))).toEqual([]);
  expect(problemsOf(file, rootsIn(file, 10_001))).toEqual([expect.stringMatching(/expected .*at most 10000.*found/)]);
});

test.each(['nereid.yaml', 'atlantis.yaml'] as const)('%s has at most 50,000 patterns, aliases written out', (file) => {
  expect(problemsOf(file, rootsIn(file, 500, patterns(100)))).toEqual([]);
  expect(problemsOf(file, rootsIn(file, 501, patterns(100)))).toEqual([
    'expected at most 50000 patterns of when_modified in all, found 50100; name directories, or leave when_modified out where the files and modules of the root decide',
  ]);
});

test('a root of atlantis.yaml has at most 100 patterns, as one of nereid.yaml has', () => {
  expect(problemsOf('atlantis.yaml', rootsIn('atlantis.yaml', 1, patterns(101)))).toEqual([
    expect.stringContaining('expected a list of at most 100, found a list of 101; name directories'),
  ]);
});

test('the settings of a root take at most 64 KiB', () => {
  const text = (length: number) =>
    `version: 1\nroots: [{ dir: a, var_files: [${Array(20).fill('x'.repeat(length)).join(', ')}] }]`;

  expect(problemsOf('nereid.yaml', text(3_000))).toEqual([]);
  expect(problemsOf('nereid.yaml', text(4_000))).toEqual([
    expect.stringMatching(
      /^roots\[0\]\.dir: expected settings of at most 65536 bytes for a root, with those of the server, found 8\d{4} for a; name fewer or shorter var_files$/,
    ),
  ]);
});

test('a directory of atlantis.yaml has at most 4096 characters', () => {
  expect(problemsOf('atlantis.yaml', `version: 3\nprojects: [{ dir: ${'a/'.repeat(3_000)} }]`)).toEqual([
    'projects[0].dir: expected at most 4096 characters, found 6000; shorten the path',
  ]);
});

describe.each([
  ['nereid.yaml', 'version: 1\nroots:'],
  ['atlantis.yaml', 'version: 3\nprojects:'],
] as const)('a workspace of %s', (file, head) => {
  const problemsWith = (workspace: string) =>
    problemsOf(file, `${head} [{ dir: a, name: a, workspace: ${JSON.stringify(workspace)} }]`);

  test.each(['default', 'eu-1', 'a.b~c_d', '...'])('a workspace can be %s', (workspace) => {
    expect(problemsWith(workspace)).toEqual([]);
  });

  test.each(['../../x', '..', '.', 'a/b', 'a b', 'a\0b', 'x'.repeat(91), 'x'.repeat(300_000)])(
    'is not %.10j',
    (workspace) => {
      expect(problemsWith(workspace)).toEqual([
        expect.stringMatching(
          /\[0\]\.workspace: expected (a Terraform workspace: letters, digits, "\.", "_", "~", "-", at most 90, but neither "\." nor "\.\."|at most 4096 characters), found /,
        ),
      ]);
    },
  );
});

/** Each in a directory of its own; with patterns, also of a name of its own. */
function rootsIn(file: RepositorySource['file'], count: number, when?: string): string {
  const [version, list] = file === 'nereid.yaml' ? [1, 'roots'] : [3, 'projects'];
  const settings = (n: number) => {
    if (when === undefined) return `dir: d${n}`;
    const patternsOf = n === 0 ? `&when [${when}]` : '*when';
    const rest = file === 'nereid.yaml' ? `when_modified: ${patternsOf}` : `autoplan: { when_modified: ${patternsOf} }`;
    return `name: r${n}, dir: d${n}, ${rest}`;
  };
  const lines = Array.from({ length: count }, (_, n) => `  - { ${settings(n)} }`);
  return [`version: ${version}`, `${list}:`, ...lines].join('\n');
}

function patterns(count: number): string {
  return Array.from({ length: count }, (_, n) => `p${n}`).join(', ');
}

function problemsOf(file: RepositorySource['file'], text: string): readonly string[] {
  const read = readRepositoryConfig({ file, text, policy: POLICY });
  return read.kind === 'ok' ? [] : read.problems.map(({ path, message }) => formatProblem({ path, message }));
}
