import { describe, expect, test } from '@jest/globals';
import { resolveRoot } from '../../repository/resolve-root.ts';
import { policyWith } from '../repository-policy/policy.fixture.ts';
import { readServerConfig } from '../read-server-config.ts';

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';

/** As the order of a root in `prod/network` has it. */
function carriedIn(repositories: string) {
  const root = { name: 'network', dir: 'prod/network', workspace: 'default', enabled: true, varFiles: [] };
  return resolveRoot(policyWith(`repositories: ${repositories}`), root).carryReview;
}

describe('answers to a plan that could not be used', () => {
  test.each([
    ['never count where nobody says so', '[{ match: acme/* }]', undefined],
    ['count where the entry says so', '[{ match: acme/*, carry_review: same_plan }]', 'same_plan'],
    [
      'count where a rule for the root says so',
      '[{ match: acme/*, roots: { "prod/**": { carry_review: same_plan } } }]',
      'same_plan',
    ],
    [
      'do not count where one of several rules says never',
      '[{ match: acme/*, roots: { "prod/**": { carry_review: never }, "**": { carry_review: same_plan } } }]',
      undefined,
    ],
    [
      'do not count where an entry above says never',
      '[{ match: acme/*, carry_review: never }, { match: "*/*", roots: { "**": { carry_review: same_plan } } }]',
      undefined,
    ],
  ])('%s', (_what, repositories, expected) => {
    expect(carriedIn(repositories)).toBe(expected);
  });
});

test.each([
  ['a type without an attribute', 'aws_instance'],
  ['a wildcard in the place of a type', '*.tags'],
  ['an attribute without a name', 'aws_instance.'],
])('no volatile attribute is %s', (_what, attribute) => {
  const text = `repositories: [{ match: acme/* }]\n${STORAGE}\nterraform: { volatile_attributes: ["${attribute}"] }`;
  const read = readServerConfig(text);

  expect(read).toMatchObject({ kind: 'invalid', problems: [{ path: 'terraform.volatile_attributes[0]' }] });
});
