import { describe, expect, test } from '@jest/globals';
import { readServerConfig } from '../../server/read-server-config.ts';
import { createReport } from '../../yaml/report.ts';
import { readYaml } from '../../yaml/yaml-source.ts';
import { stricterRulesHaveTheirOwnCredentials } from './shared-credentials.ts';

const REST = `
terraform: { env_allow: [AWS_*] }
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`;

const WITHOUT_CREDENTIALS = REST.replace('[AWS_*]', '[]');

/** Each as `path: message`. */
function warningsOf(yaml: string, rest = REST): readonly string[] {
  const text = `${yaml}${rest}`;
  const [read, source] = [readServerConfig(text), readYaml(text)];
  if (read.kind === 'invalid' || source.kind === 'invalid') throw new Error(JSON.stringify(read));
  const report = createReport(source.source);
  stricterRulesHaveTheirOwnCredentials(read.config, report);
  return report.warnings().map(({ path, message }) => `${path}: ${message}`);
}

const PROD = '{ prod: { permissions: { confirm: { teams: [acme/sre], not_author: true } } } }';

test('a rule that is stricter than directories without one is named, with what they do not ask for, and what to do', () => {
  expect(warningsOf(`repositories: [{ match: acme/*, roots: ${PROD} }]`)).toEqual([
    'repositories[0].roots.prod: expected credentials that only "prod" has, found that directories without a rule have them too and ask for less (confirm), so code that moves there escapes this rule; ask for the same there, or give each its own credentials, in the env of its workflow',
  ]);
});

test('without any credentials, nothing is to be had by moving', () => {
  expect(warningsOf(`repositories: [{ match: acme/*, roots: ${PROD} }]`, WITHOUT_CREDENTIALS)).toEqual([]);
});

test('rules that ask for the same, or for less than the others, are not named', () => {
  const confirm = 'confirm: { teams: [acme/sre], not_author: true }';
  const entry = `match: acme/*, plan_review: required, permissions: { ${confirm} }`;

  expect(warningsOf(`repositories: [{ ${entry}, roots: ${PROD} }]`)).toEqual([]);
  expect(warningsOf(`repositories: [{ ${entry}, roots: { dev: { plan_review: auto } } }]`)).toEqual([]);
});

describe('a rule is stricter', () => {
  const against = (strict: string, loose: string) =>
    warningsOf(`repositories: [{ match: acme/infra, roots: { "prod/**": { ${strict} }, "**": { ${loose} } } }]`);

  test.each([
    ['by its review', 'plan_review: required', 'plan_review: auto', 'plan_review'],
    ['by not_author', 'permissions: { confirm: { not_author: true } }', 'queue: every', 'confirm'],
    ['by a team', 'permissions: { apply: { teams: [acme/sre] } }', 'queue: every', 'apply'],
    ['by people', 'permissions: { plan: { users: [ada] } }', 'permissions: { plan: { permission: admin } }', 'plan'],
    ['by a permission', 'permissions: { confirm: { permission: maintain } }', 'queue: every', 'confirm'],
  ])('a rule is stricter %s', (_how, strict, loose, less) => {
    expect(against(strict, loose)).toEqual([
      expect.stringMatching(new RegExp(`"prod/\\*\\*": expected .* found that "\\*\\*" have .* \\(${less}\\)`)),
    ]);
  });

  test.each([
    ['with a permission that everybody needs anyway', 'permissions: { apply_force: { permission: admin } }'],
    ['about who may cancel', 'permissions: { cancel: { users: [ada] } }'],
    ['about the order of deployments', 'queue: newest'],
  ])('a rule is no stricter %s', (_what, settings) => {
    expect(against(settings, 'queue: every')).toEqual([]);
  });
});

test('a required policy of some directories counts as a rule', () => {
  const policy = 'name: cost, source: p, owners: { users: [ada] }, roots: [prod]';

  expect(warningsOf(`repositories: [{ match: acme/infra }]\npolicies: [{ ${policy}, enforce: required }]`)).toEqual([
    expect.stringMatching(/^policies\[0\]\.roots\[0\]: .*ask for less \(the policy "cost"\)/),
  ]);
  expect(warningsOf(`repositories: [{ match: acme/infra }]\npolicies: [{ ${policy}, enforce: advisory }]`)).toEqual([]);
});

describe('credentials of a workflow', () => {
  const WORKFLOWS = `
workflows:
  prod: { plan: [{ env: { name: AWS_PROFILE, value: prod } }, plan], apply: [apply] }
  dev: { plan: [{ env: { name: AWS_PROFILE, value: dev } }, plan], apply: [apply] }`;
  const roots = (dev: string) => `{ prod: { workflow: prod, plan_review: required }, dev: { workflow: ${dev} } }`;
  const entry = 'match: acme/infra, plan_review: auto';

  test('that only the rule has are its own', () => {
    expect(warningsOf(`repositories: [{ ${entry}, roots: ${roots('dev')} }]${WORKFLOWS}`)).toEqual([]);
  });

  test('that another directory has as well are shared, without any variable of the worker', () => {
    const yaml = `repositories: [{ ${entry}, roots: ${roots('prod')} }]${WORKFLOWS}`;

    expect(warningsOf(yaml, WITHOUT_CREDENTIALS)).toEqual([expect.stringContaining('found that "dev" have them too')]);
  });

  test('are shared with everybody who may choose their workflow', () => {
    const yaml = `repositories: [{ ${entry}, allowed_overrides: [workflow], roots: ${roots('dev')} }]${WORKFLOWS}`;

    expect(warningsOf(yaml)).toEqual([expect.stringContaining('found that directories without a rule have them too')]);
  });
});

test('a review that a repository may turn off is none', () => {
  const entry = 'match: acme/*, plan_review: required, allowed_overrides: [plan_review]';

  expect(warningsOf(`repositories: [{ ${entry}, roots: { prod: { plan_review: required } } }]`)).toEqual([
    expect.stringContaining('(plan_review)'),
  ]);
});

test('a rule is named once, with three places, and of many rules twenty', () => {
  const loose = Array.from({ length: 5 }, (_, index) => `dev-${index}: { plan_review: auto }`);
  const strict = Array.from({ length: 30 }, (_, index) => `prod-${index}: { plan_review: required }`);
  const yaml = `repositories: [{ match: acme/infra }, { match: acme/*, roots: { ${[...loose, ...strict].join(', ')} } }]`;

  const warnings = warningsOf(yaml);

  expect(warnings).toHaveLength(21);
  expect(warnings.join('\n')).toContain('expected other credentials for 10 more rules');
  expect(warnings.at(-1)).toContain('found that "dev-0" and "dev-1" and "dev-2" and 2 more have them too');
});

describe('what a root is to clouds', () => {
  const roots = (dev: string) =>
    `{ prod: { plan_review: required, identity: { audience: prod } }, dev: { plan_review: auto, ${dev} } }`;
  const warningsWith = (dev: string) =>
    warningsOf(`repositories: [{ match: acme/infra, plan_review: auto, roots: ${roots(dev)} }]`, WITHOUT_CREDENTIALS);

  test('are credentials of its own, which another directory may have as well', () => {
    expect(warningsWith('identity: { audience: dev }')).toEqual([]);
    expect(warningsWith('identity: { audience: prod }')).toEqual([
      expect.stringContaining('found that "dev" have them too'),
    ]);
  });
});
