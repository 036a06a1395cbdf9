/** `depends_on` and `execution_order_group`, in both files. */
import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import { formatProblem } from '../yaml/problem.ts';
import { closingDependencies } from './ordering.ts';
import { readRepositoryConfig, type RepositorySource } from './read-repository-config.ts';

const POLICY = policyWith('repositories: [{ match: acme/infra }]');

test.each([
  ['nereid.yaml', 'version: 1\nroots:'],
  ['atlantis.yaml', 'version: 3\nprojects:'],
] as const)('%s says which roots go before a root', (file, head) => {
  const roots = `[{ name: a, dir: a }, { name: b, dir: b, depends_on: [a, a], execution_order_group: 2 }]`;
  const { config } = read(file, `${head} ${roots}`);

  expect(config?.roots[1]).toMatchObject({ dependsOn: ['a'], executionOrderGroup: 2 });
  expect(config?.roots[0]).not.toHaveProperty('dependsOn');
});

describe('in nereid.yaml', () => {
  const problemsOf = (text: string) => read('nereid.yaml', `version: 1\n${text}`).problems;

  test('a dependency is a root of the file, and the nearest name is proposed', () => {
    expect(problemsOf('roots: [{ dir: network }, { dir: app, depends_on: [netwrk, vpc-endpoints] }]')).toEqual([
      'roots[1].depends_on[0]: expected the name of a root, found "netwrk"; did you mean "network"?',
      'roots[1].depends_on[1]: expected the name of a root, found "vpc-endpoints"; name a root, or remove it',
    ]);
  });

  test('a dependency may be a root that is discovered', () => {
    expect(problemsOf('roots: [{ dir: app, depends_on: [network] }]\nautodiscover: { mode: enabled }')).toEqual([]);
  });

  test('a root does not depend on itself', () => {
    expect(problemsOf('roots: [{ dir: app, depends_on: [app] }]')).toEqual([
      'roots[0].depends_on[0]: expected the name of another root, found "app" itself; remove it',
    ]);
  });

  test('dependencies have no cycle, which is shown', () => {
    const roots = '{ dir: a, depends_on: [b] }, { dir: b, depends_on: [c] }, { dir: c, depends_on: [a] }';

    expect(problemsOf(`roots: [${roots}]`)).toEqual([
      'roots[2].depends_on: expected an order of deployments, found the cycle a → b → c → a; remove one of these dependencies',
    ]);
  });

  test('a root waits for none of a later group', () => {
    const roots = '{ dir: a, execution_order_group: 1 }, { dir: b, depends_on: [a] }';

    expect(problemsOf(`roots: [${roots}]`)).toEqual([
      'roots[1].depends_on[0]: expected a root of execution_order_group 0 or lower, found "a" of group 1, which goes later; change one of the groups',
    ]);
  });

  test('a group is a whole number', () => {
    expect(problemsOf('roots: [{ dir: a, execution_order_group: 1.5 }]')).toEqual([
      expect.stringContaining('expected a whole number, found 1.5'),
    ]);
  });

  test('a root names at most 100, all of them at most 10,000', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`).join(', ');
    const roots = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => `  - { dir: r${n}, depends_on: ${n < 100 ? '[]' : n === 100 ? `&all [${names(100)}]` : '*all'} }`,
      );
    const file = (count: number) => ['roots:', ...roots(count)].join('\n');

    expect(problemsOf(`roots: [{ dir: a, depends_on: [${names(101)}] }]`)).toEqual([
      expect.stringContaining('expected a list of at most 100, found a list of 101'),
    ]);
    expect(problemsOf(file(200))).toEqual([]);
    expect(problemsOf(file(201))).toEqual([
      'expected at most 10000 names of depends_on in all, found 10100; use execution_order_group',
    ]);
  });
});

describe('in atlantis.yaml, what Atlantis accepts is no problem', () => {
  const readProjects = (projects: string) => read('atlantis.yaml', `version: 3\nprojects: [${projects}]`);

  test.each([
    [
      'an unknown name',
      '{ name: a, dir: a, depends_on: [x] }',
      'expected the name of a project, found "x"; it is ignored',
    ],
    ['itself', '{ name: a, dir: a, depends_on: [a] }', 'found "a" itself; it is ignored'],
    [
      'a later group',
      '{ name: b, dir: b, execution_order_group: 1 }, { name: a, dir: a, depends_on: [b] }',
      'found "b" of group 1, which goes later; change one of the groups; it is ignored',
    ],
  ])('%s is ignored, with a warning', (_what, projects, warning) => {
    const { config, warnings } = readProjects(projects);

    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect(config?.roots.flatMap(({ dependsOn = [] }) => dependsOn)).toEqual([]);
  });

  test('a cycle loses the dependency that closes it', () => {
    const { config, warnings } = readProjects(
      '{ name: a, dir: a, depends_on: [b] }, { name: b, dir: b, depends_on: [a] }',
    );

    expect(warnings).toEqual([
      'projects[1].depends_on: expected an order of deployments, found the cycle a → b → a; "a" is ignored',
    ]);
    expect(config?.roots).toMatchObject([{ dependsOn: ['b'] }, { dependsOn: [] }]);
  });

  test('a dependency is found by the name that Atlantis knows', () => {
    const { config } = readProjects('{ name: a/b, dir: a }, { name: c, dir: c, depends_on: [a/b] }');

    expect(config?.roots[1]).toMatchObject({ dependsOn: [config?.roots[0]?.name] });
  });

  test('a group that is no whole number is refused, as Atlantis does', () => {
    expect(readProjects('{ name: a, dir: a, execution_order_group: first }').problems).toEqual([
      'projects[0].execution_order_group: expected a whole number, found "first"',
    ]);
  });
});

test('a chain of ten thousand roots has no cycle; a cycle of ten thousand is named by its first ones', () => {
  const chain = Array.from({ length: 10_000 }, (_, n) => ({ name: `r${n}`, dependsOn: n === 0 ? [] : [`r${n - 1}`] }));

  expect(closingDependencies(chain)).toEqual([]);
  expect(closingDependencies([{ name: 'r0', dependsOn: ['r9999'] }, ...chain.slice(1)])).toEqual([
    {
      from: 'r1',
      to: 'r0',
      cycle: expect.stringMatching(/^r0 → r9999 → .* → … 9990 more … → r0$/),
    },
  ]);
});

function read(file: RepositorySource['file'], text: string) {
  const result = readRepositoryConfig({ file, text, policy: POLICY });
  const lines = (problems: readonly { readonly path: string; readonly message: string }[]) =>
    problems.map(({ path, message }) => formatProblem({ path, message }));
  return result.kind === 'ok'
    ? { config: result.config, warnings: lines(result.warnings), problems: [] }
    : { config: undefined, warnings: [], problems: lines(result.problems) };
}
