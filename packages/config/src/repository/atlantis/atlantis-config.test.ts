import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../../server/repository-policy/policy.fixture.ts';
import { formatProblem } from '../../yaml/problem.ts';
import { readRepositoryConfig } from '../read-repository-config.ts';
import type { RepositoryConfig, RootConfig } from '../repository-config.ts';

const POLICY = policyWith(`
repositories: [{ match: acme/infra, allowed_overrides: [terraform_version, distribution, workflow] }]
workflows: { hooked: { plan: [init, plan], apply: [apply] } }`);

test('a project becomes a root', () => {
  const { config, warnings } = readAtlantis(`
version: 3
projects:
  - name: network
    dir: infra/network
    workspace: staging
    terraform_version: v1.11.4
    workflow: hooked
    autoplan:
      enabled: false
      when_modified: ["*.tf", "../modules/**/*.tf"]
`);

  expect(warnings).toEqual([]);
  expect(config).toEqual({
    source: 'atlantis.yaml',
    roots: [
      {
        name: 'network',
        dir: 'infra/network',
        dirAt: { path: 'projects[0].dir', line: 5, column: 5 },
        workspace: 'staging',
        enabled: false,
        terraformVersion: '1.11.4',
        workflow: 'hooked',
        whenModified: ['*.tf', '../modules/**/*.tf'],
        varFiles: [],
        varFilesIfThere: ['env/staging.tfvars'],
      },
    ],
    autodiscover: { mode: 'auto', ignore: [] },
  });
});

describe('a file that Atlantis accepts fails us only at our limits', () => {
  test('a pattern that leads out of the repository is ignored, one that begins with a slash begins at the project', () => {
    const { config, warnings } = readAtlantis(
      'version: 3\nprojects: [{ dir: a, autoplan: { when_modified: ["../../x", "../b/*.tf", "/c/*.tf"] } }]\n',
    );

    expect(config.roots).toMatchObject([{ whenModified: ['../b/*.tf', '/c/*.tf'] }]);
    expect(warnings).toEqual([
      expect.stringContaining('the pattern "../../x" leads out of the repository; it is ignored'),
    ]);
  });

  test('what has no counterpart is a warning that says what takes its place', () => {
    const { warnings } = readAtlantis(`version: 3
automerge: true
projects:
  - dir: a
    execution_order_group: 1
    depends_on: [b]
    autoplan: { enabled: true, odd: 1 }
workflows: { custom: {} }
`);

    expect(warnings).toEqual([
      'atlantis.yaml:2:1 automerge: "automerge" is ignored: Nereid deploys what was merged, and merges nothing; GitHub has auto-merge',
      'atlantis.yaml:6:18 projects[0].depends_on[0]: expected the name of a project, found "b"; it is ignored',
      'atlantis.yaml:7:32 projects[0].autoplan.odd: "odd" has no counterpart here; it is ignored',
      'atlantis.yaml:8:1 workflows: "workflows" is ignored: workflows stand in the server\'s file, and projects name them',
    ]);
  });

  test('version 2 is read as version 3, and said to be', () => {
    expect(readAtlantis('version: 2\nprojects: [{ dir: a }]\n').warnings).toEqual([
      "atlantis.yaml:1:1 version: expected 3, the version of Atlantis' format, found 2, which is read as 3; write version: 3",
    ]);
  });

  test('a name that we cannot have is made one', () => {
    const { config, warnings } = readAtlantis('version: 3\nprojects: [{ dir: a, name: team/network }]\n');

    expect(namesIn(config)).toEqual(['team-network']);
    expect(warnings).toEqual([expect.stringContaining('the root is called "team-network"')]);
  });

  test('projects that would get one name get different ones', () => {
    const { config, warnings } = readAtlantis('version: 3\nprojects: [{ dir: a/b }, { dir: a-b }]\n');

    expect(new Set(namesIn(config)).size).toBe(2);
    expect(namesIn(config)).toEqual([
      expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
      expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
    ]);
    expect(warnings).toHaveLength(2);
  });

  test('a workspace is part of a name that nobody gave', () => {
    const { config } = readAtlantis('version: 3\nprojects: [{ dir: a }, { dir: a, workspace: staging }]\n');

    expect(namesIn(config)).toEqual(['a', 'a-staging']);
  });

  test('what the server does not let it set is ignored', () => {
    const strict = policyWith('repositories: [{ match: acme/infra, allowed_overrides: [] }]');
    const read = readRepositoryConfig({
      file: 'atlantis.yaml',
      text: 'version: 3\nprojects: [{ dir: a, terraform_version: 1.2.3 }]\n',
      policy: strict,
    });

    expect(read.kind === 'ok' && read.config.roots[0]).not.toHaveProperty('terraformVersion');
    expect(read.kind === 'ok' && read.warnings).toMatchObject([{ path: 'projects[0].terraform_version' }]);
  });

  test.each([
    ['an absolute directory is one of the repository', 'dir: /infra', { dir: 'infra' }],
    ['a number is text where text belongs', 'dir: 2024, name: 10', { dir: '2024', name: '10' }],
    ['a version keeps its zeros', 'dir: a, terraform_version: 1.10', { terraformVersion: '1.10.0' }],
    ['yes and no are booleans', 'dir: a, autoplan: { enabled: no }', { enabled: false }],
    [
      'a key without a value is as if it were not there',
      'dir: a, workspace: , autoplan: ',
      { workspace: 'default', enabled: true },
    ],
    [
      'an autoplan that does not say whether it is enabled is',
      'dir: a, autoplan: { when_modified: [x] }',
      { enabled: true },
    ],
    ['an empty pattern is none', 'dir: a, autoplan: { when_modified: ["", "*.tf"] }', { whenModified: ['*.tf'] }],
    ['opentofu is tofu', 'dir: a, terraform_distribution: opentofu', { distribution: 'tofu' as const }],
  ])('a file that Atlantis accepts is read: %s', (_title, project, expected: Partial<RootConfig>) => {
    const { config } = readAtlantis(`version: 3\nprojects: [{ ${project} }]\n`);

    expect(config.roots).toMatchObject([expected]);
  });

  test('anchors and merge keys are understood', () => {
    const { config } = readAtlantis(`
version: 3
projects:
  - &base
    dir: a
    workspace: staging
  - <<: *base
    dir: b
`);

    expect(config.roots).toMatchObject([
      { dir: 'a', workspace: 'staging' },
      { dir: 'b', workspace: 'staging' },
    ]);
  });

  test('only its first document counts', () => {
    const { config } = readAtlantis('version: 3\nprojects: [{ dir: a }]\n---\nversion: 1\n');

    expect(namesIn(config)).toEqual(['a']);
  });

  test('no projects means that all are discovered', () => {
    const { config } = readAtlantis('version: 3\nautodiscover: { mode: enabled, ignore_paths: ["examples/*"] }\n');

    expect(config).toMatchObject({ roots: [], autodiscover: { mode: 'enabled', ignore: ['examples/*'] } });
  });
});

test('a workspace that no directory can be called is refused', () => {
  expect(problemsOf('{ dir: a, workspace: "../b" }')).toEqual([
    expect.stringMatching(/^projects\[0\]\.workspace: expected .*, found "\.\.\/b"; rename the workspace$/),
  ]);
});

test('a project depends on at most 100 others', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
  const projects = (count: number) =>
    [
      ...names(101).map((name) => `{ dir: ${name}, name: ${name} }`),
      `{ dir: z, depends_on: [${names(count).join()}] }`,
    ].join();

  expect(readAtlantis(`version: 3\nprojects: [${projects(100)}]\n`).config.roots.at(-1)?.dependsOn).toHaveLength(100);
  expect(problemsOf(projects(101))).toEqual([
    expect.stringContaining('projects[101].depends_on: expected a list of at most 100'),
  ]);
});

test('a file that Atlantis refuses is refused, with every problem', () => {
  const text = 'version: 1\nprojects: [{ dir: ../a }, { name: b }, c]\nautodiscover: { mode: maybe }\n';
  const read = readRepositoryConfig({ file: 'atlantis.yaml', text, policy: POLICY });

  expect(read.kind === 'invalid' && read.problems.map((problem) => formatProblem(problem, 'atlantis.yaml'))).toEqual([
    "atlantis.yaml:1:1 version: expected 3, the version of Atlantis' format, found 1; write version: 3, or call the file nereid.yaml if it is written for Nereid",
    'atlantis.yaml:2:14 projects[0].dir: expected a directory inside the repository, found "../a"; write it without ".."',
    'atlantis.yaml:2:27 projects[1].dir: expected the directory of the project, found nothing; add it',
    'atlantis.yaml:2:40 projects[2]: expected a mapping, found "c"',
    'atlantis.yaml:3:17 autodiscover.mode: expected auto, enabled or disabled, found "maybe"',
  ]);
});

function readAtlantis(text: string): { config: RepositoryConfig; warnings: readonly string[] } {
  const read = readRepositoryConfig({ file: 'atlantis.yaml', text, policy: POLICY });
  if (read.kind === 'invalid') throw new Error(read.problems.map((problem) => formatProblem(problem)).join('\n'));
  return { config: read.config, warnings: read.warnings.map((warning) => formatProblem(warning, 'atlantis.yaml')) };
}

function problemsOf(projects: string): readonly string[] {
  const text = `version: 3\nprojects: [${projects}]\n`;
  const read = readRepositoryConfig({ file: 'atlantis.yaml', text, policy: POLICY });
  return read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem)) : [];
}

function namesIn(config: RepositoryConfig): readonly string[] {
  return config.roots.map(({ name }) => name);
}
