import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';
import { isAwaited, isProtected, protectionRulesFor } from './protection-rules.ts';

const SERVER = `repositories: [{ match: acme/* }]
storage: { deployments: file:/s, plans: file:/s, logs: file:/s }
`;

function read(rules: string) {
  return readServerConfig(`${SERVER}protection_rules: ${rules}`);
}

function configOf(rules: string) {
  const found = read(rules);
  if (found.kind === 'invalid') throw new Error(JSON.stringify(found.problems));
  return found.config;
}

const NETWORK = { name: 'network', dirs: ['network'] };
const APP = { name: 'app', dirs: ['apps/app'] };

describe('a job waits', () => {
  test('for the roots of all rules of its environment, whose name has no case', () => {
    const config = configOf(
      '[{ environment: Production, roots: [network] }, { environment: production, roots: [apps/**] }]',
    );
    const rules = protectionRulesFor(config, 'acme/infra', 'PRODUCTION');

    expect(rules).toHaveLength(2);
    expect([NETWORK, APP, { name: 'dns', dirs: ['dns'] }].map((root) => isAwaited(rules, root))).toEqual([
      true,
      true,
      false,
    ]);
    expect(protectionRulesFor(config, 'acme/infra', 'staging')).toEqual([]);
  });

  test('for all roots of a rule without roots', () => {
    const config = configOf('[{ environment: production }]');

    expect(isAwaited(protectionRulesFor(config, 'acme/infra', 'production'), APP)).toBe(true);
  });

  test('in the repositories of the rule', () => {
    const config = configOf('[{ environment: production, repositories: [acme/infra], roots: [network] }]');

    expect(['acme/infra', 'acme/app'].map((repository) => isProtected(config, repository))).toEqual([true, false]);
    expect(protectionRulesFor(config, 'acme/app', 'production')).toEqual([]);
  });
});

test.each([
  ['an environment', '[{ roots: [network] }]', 'protection_rules[0].environment'],
  ['the name of one', '[{ environment: "" }]', 'the name of an environment on GitHub'],
  ['a name on one line', '[{ environment: "a\\nb" }]', 'the name of an environment on GitHub'],
])('a rule has %s', (_what, rules, expected) => {
  const found = read(rules);

  expect(found.kind === 'invalid' && JSON.stringify(found.problems)).toContain(expected);
});

test('a rule that goes by names is warned of, because a repository names its roots itself', () => {
  const found = read('[{ environment: production, roots: ["name:app"] }]');

  expect(found.kind === 'ok' && found.warnings).toMatchObject([
    {
      path: 'protection_rules[0].roots[0]',
      message: expect.stringMatching(/^expected a directory, .* escape this rule;/),
    },
  ]);
});
