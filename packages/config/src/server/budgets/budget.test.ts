import { expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';
import { budgetsFor } from './budget.ts';

function read(budgets: string) {
  return readServerConfig(`repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
budgets: ${budgets}
`);
}

function findings(budgets: string): readonly string[] {
  const found = read(budgets);
  const all = found.kind === 'ok' ? found.warnings : found.problems;
  return all.map(({ path, message }) => `${path}: ${message}`);
}

test('the budgets of a root are those that are about one of its directories, in the order of their names', () => {
  const found = read(
    '[{ name: prod, applies: 5, roots: [prod/**] }, { name: all, applies: 9 }, { name: dev, applies: 1, roots: [dev/**] }, { name: app, applies: 2, repositories: [acme/app] }]',
  );
  if (found.kind !== 'ok') throw new Error(JSON.stringify(found.problems));
  const namesFor = (...dirs: readonly string[]) =>
    budgetsFor(found.config, 'acme/infra', { name: 'network', dirs }).map(({ name }) => name);

  expect(namesFor('prod/network')).toEqual(['all', 'prod']);
  expect(namesFor('dev/network', 'prod/network')).toEqual(['all', 'dev', 'prod']);
});

test('a budget may limit plans alone, and its weights are by name, however that is written', () => {
  const found = read('[{ name: dns, plans: 3, weights: { Acme/Infra: 2 } }]');

  expect(found).toMatchObject({
    kind: 'ok',
    config: { budgets: [{ name: 'dns', plans: 3, weights: { 'acme/infra': 2 }, repositories: [], roots: [] }] },
  });
});

test.each([
  ['no limit', '[{ name: prod }]', /^budgets\[0\]: expected applies, plans or both, found neither; add a limit/],
  ['a weight of nothing', '[{ name: prod, plans: 1, weights: { acme/infra: 0 } }]', /acme\/infra.*at least 1/],
  [
    'a weight of a glob',
    '[{ name: prod, plans: 1, weights: { "acme/*": 2 } }]',
    /expected a repository as "owner\/name"/,
  ],
  ['no leases', '[{ name: prod, applies: 0 }]', /^budgets\[0\]\.applies: .*at least 1/],
  [
    'a name that is no name of a file',
    '[{ name: a/b, applies: 1 }]',
    /^budgets\[0\]\.name: expected a name of at most 60/,
  ],
  [
    'the name of another one',
    '[{ name: prod, applies: 1 }, { name: PROD, applies: 1 }]',
    /^budgets\[1\]\.name: expected each name once/,
  ],
  [
    'the name of a root, which its repository chooses',
    '[{ name: prod, applies: 1, roots: ["name:prod"] }]',
    /^budgets\[0\]\.roots\[0\]: expected a directory, .* escape this budget; match the directory$/,
  ],
])('a budget with %s is reported', (_what, budgets, message) => {
  expect(findings(budgets)).toEqual([expect.stringMatching(message)]);
});
