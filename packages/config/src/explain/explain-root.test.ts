import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PLAN_REVIEWS } from '@nereid/domain/root';
import type { RootConfig } from '../repository/repository-config.ts';
import { readRepositoryConfig } from '../repository/read-repository-config.ts';
import { resolveRoot } from '../repository/resolve-root.ts';
import { policyFor } from '../server/repository-policy/policy.ts';
import { readServerConfig } from '../server/read-server-config.ts';
import type { ExplainedSetting, Explanation } from './explanation.ts';
import { explainRoot } from './explain-root.ts';

const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n';

const SERVER = `repositories:
  - match: acme/infra
    plan_review: auto
    queue: newest
    roots:
      prod/**:
        plan_review: required
        timeout: { apply: 2h }
        permissions: { confirm: { teams: [acme/sre] } }
        environment: { plan: { AWS_REGION: eu-1, ROLE: secret-reader }, apply: { ROLE: secret-writer } }
        env_from: { apply: { TOKEN: token-file } }
      "name:net*": { plan_review: auto_unless_destroy, permissions: { confirm: { permission: admin } } }
  - match: acme/*
    queue: every
    pull_requests: plan
    allowed_overrides: [terraform_version, plan_review, queue]
    permissions: { confirm: { permission: maintain }, unlock: { permission: maintain } }
    environment: { plan: { AWS_REGION: us-1 }, apply: {} }
policies:
  - { name: cost, source: /c, enforce: required, owners: { users: [ada] }, roots: [prod/**] }
  - { name: other, source: /o, enforce: advisory, roots: [dev/**] }
terraform: { version: "1.11.4", env_allow: [AWS_PROFILE], secrets_folder: /run/secrets/roots }
${STORAGE}`;

const OWN = `version: 1
roots:
  - dir: dev/app
    plan_review: auto
  - name: network
    dir: prod/network
    queue: every
    terraform_version: 1.9.0
    depends_on: [dev-app]
  - { name: linked, dir: dev/linked, plan_review: auto }
`;

test('says of the strictest rule that it counts, and of every other source why it does not', () => {
  expect(settingOf('plan_review')).toEqual({
    key: 'plan_review',
    value: 'required',
    isDefault: false,
    choice: 'strictest',
    sources: [
      {
        kind: 'rule',
        match: 'prod/** of acme/infra',
        at: { file: 'server.yaml', path: 'repositories[0].roots."prod/**".plan_review', line: 7, column: 9 },
        value: 'required',
        counts: true,
      },
      expect.objectContaining({ match: 'name:net* of acme/infra', counts: false, why: 'it is less strict' }),
      expect.objectContaining({ kind: 'entry', match: 'acme/infra', value: 'auto', counts: false }),
    ],
  });
});

test('says of a setting of the repository that a rule for the real directory of the root bars it', () => {
  const linked = rootOf('linked');

  const found = explain(SERVER, linked, { own: OWN, realDir: 'prod/linked' });

  expect(found).toMatchObject({ dir: 'dev/linked', realDir: 'prod/linked' });
  expect(found?.settings.find(({ key }) => key === 'plan_review')).toMatchObject({
    value: 'required',
    sources: [
      { kind: 'rule', counts: true },
      {
        kind: 'repository',
        at: { file: 'nereid.yaml', path: 'roots[2].plan_review' },
        why: 'a rule for roots sets it, which a repository cannot change',
      },
      { kind: 'entry' },
    ],
  });
});

test('says of a setting of the repository that it counts before entries', () => {
  expect(settingOf('queue')).toMatchObject({
    value: 'every',
    sources: [
      { kind: 'repository', counts: true },
      { match: 'acme/infra', value: 'newest', why: "the repository's file may set it, by allowed_overrides" },
      { match: 'acme/*', value: 'every', why: 'it says the same' },
    ],
  });
});

test('traces whatever the repository alone says to its line', () => {
  const { declaredAt } = explained();

  expect(declaredAt).toEqual({ file: 'nereid.yaml', path: 'roots[1]', line: 5, column: 5 });
  expect(settingOf('depends_on')).toMatchObject({ value: ['dev-app'], sources: [{ at: { line: 9 } }] });
  expect(settingOf('workspace')).toMatchObject({ value: 'default', isDefault: true, sources: [] });
});

test('puts all rules for an action together, and says what it takes without any', () => {
  expect(settingOf('permissions.confirm')).toMatchObject({
    value: 'admin permission, as a member of acme/sre',
    sources: [
      { match: 'prod/** of acme/infra', counts: true },
      { match: 'name:net* of acme/infra', counts: true },
      { match: 'acme/*', counts: false, why: 'rules for roots count before it' },
    ],
  });
  expect(settingOf('permissions.unlock')).toMatchObject({ value: 'maintain permission', isDefault: false });
  expect(settingOf('permissions.reject')).toMatchObject({ value: 'write permission', isDefault: true, sources: [] });
});

test('names variables, and never says a value', () => {
  expect(settingOf('environment.plan')).toMatchObject({
    value: ['AWS_REGION', 'ROLE'],
    sources: [
      { value: ['AWS_REGION', 'ROLE'], counts: true },
      { value: ['AWS_REGION'], counts: false },
    ],
  });
  expect(settingOf('env_from.apply')).toMatchObject({ value: ['TOKEN'] });
  expect(JSON.stringify(explained())).not.toMatch(/secret-reader|secret-writer|token-file|eu-1|us-1/);
});

test('lists the policies that judge the root, and no others', () => {
  const policies = explained().settings.filter(({ key }) => key.startsWith('policies.'));

  expect(policies).toMatchObject([{ key: 'policies.cost', value: 'required; ada may override it' }]);
});

test('marks what nobody has written', () => {
  const { settings } = explained();

  for (const { key, isDefault, sources } of settings)
    expect([key, isDefault]).toEqual([key, sources.every(({ counts }) => !counts)]);
  expect(settingOf('on_failure')).toMatchObject({ value: 'continue', isDefault: true });
  expect(settingOf('branch')).toMatchObject({ value: 'the default branch of the repository', isDefault: true });
});

describe('of reviews, says', () => {
  const REVIEWED = `repositories:
  - match: acme/infra
    roots:
      prod/**: { review: { each_of: [acme/sre], expires: 2d }, max_plan_age: 24h }
      "name:net*": { review: { each_of: [acme/dba] }, max_plan_age: 48h }
  - match: acme/*
    review: { count: 2, expires: 1d }
    auto_when: { only_types: ["aws_route53_*"], max_changes: 20 }
${STORAGE}`;
  const settingIn = (key: string, text = REVIEWED) =>
    explain(text, rootOf())?.settings.find((setting) => setting.key === key);

  test('who has to confirm a plan, in words, with each source of that', () => {
    expect(settingIn('review')).toMatchObject({
      value: '2 people, among them a member of acme/sre and a member of acme/dba',
      isDefault: false,
      sources: [
        { at: { line: 4 }, value: 'a member of acme/sre', counts: true },
        { at: { line: 5 }, value: 'a member of acme/dba', counts: true },
        { match: 'acme/*', value: '2 people', counts: true },
      ],
    });
    expect(settingIn('review', SERVER)).toMatchObject({ value: 'one person', isDefault: true, sources: [] });
  });

  test('for how long a plan waits, and how old it may be when it is applied', () => {
    expect(settingIn('review.expires')).toMatchObject({
      value: '2d',
      sources: [
        { value: '2d', counts: true },
        { value: '24h', counts: false },
      ],
    });
    expect(settingIn('max_plan_age')).toMatchObject({
      value: '24h',
      sources: [
        { match: 'prod/** of acme/infra', counts: true },
        { match: 'name:net* of acme/infra', counts: false, why: 'it is less strict' },
      ],
    });
    expect(settingIn('review.expires', SERVER)).toMatchObject({ value: '7d', isDefault: true });
  });

  test('which plans need nobody, and why a rule for that does not count', () => {
    const words = 'the rule of acme/*: no destroy, replace or forget, only aws_route53_*, at most 20 changes';
    const rest = REVIEWED.slice(REVIEWED.indexOf('  - match: acme/*'));

    expect(settingIn('auto_when', `repositories:\n${rest}`)).toMatchObject({
      value: words,
      sources: [{ match: 'acme/*', value: words, counts: true }],
    });
    expect(settingIn('auto_when')).toMatchObject({
      value: 'never',
      sources: [{ value: words, counts: false, why: 'another rule that counts for the root has no such auto_when' }],
    });
    const withColleague = `repositories:\n${rest}`.replace(
      '    auto_when',
      '    permissions: { confirm: { not_author: true } }\n    auto_when',
    );
    expect(settingIn('auto_when', withColleague)).toMatchObject({
      value: 'never',
      sources: [{ why: expect.stringMatching(/^not_author holds for the root/) }],
    });
  });

  test('nothing in the words of this program', () => {
    expect(JSON.stringify(explain(REVIEWED, rootOf()))).not.toMatch(/digest|expiresMs|eachOf/);
  });
});

test('lists the budgets of the root with their places, and no others', () => {
  const text = `${SERVER}budgets: [{ name: dev, applies: 2, roots: [dev/**] }, { name: prod, applies: 5, roots: [prod/**] }]\n`;

  const budgets = explain(text, rootOf())?.settings.filter(({ key }) => key.startsWith('budgets.'));

  expect(budgets).toMatchObject([
    {
      key: 'budgets.prod',
      value: '5 applies at once',
      sources: [{ at: { path: 'budgets[1]' }, match: 'prod/** of all repositories', counts: true }],
    },
  ]);
});

test('lists the windows of the root with their places, and no others', () => {
  const window = "kind: deny, dtstart: '2026-01-05T20:00', duration: 10h, timezone: Europe/Berlin";
  const text = `${SERVER}windows:
  - { name: Night, ${window}, rrule: FREQ=DAILY, roots: [prod/**], doors: [apply] }
  - { name: Other, ${window}, roots: [dev/**] }
`;

  const windows = explain(text, rootOf())?.settings.filter(({ key }) => key.startsWith('windows.'));

  expect(windows).toMatchObject([
    {
      key: 'windows.Night',
      value: 'deny apply for 10h from 2026-01-05T20:00 Europe/Berlin, again by FREQ=DAILY',
      sources: [{ at: { path: 'windows[0]' }, match: 'prod/** of all repositories', value: 'deny', counts: true }],
    },
  ]);
});

test('lists the waves that may take the root', () => {
  const text = `${SERVER}waves:
  - { name: canary, roots: [prod/**], max: 10%, soak: 30m, checks: [{ name: page, http: { url: https://a } }] }
  - { name: late, max: 1, checks: [{ name: smoke, run: { command: "true" } }, { name: in, run: { command: "true", root: db } }] }
  - { name: Other, roots: [dev/**] }
`;

  const waves = explain(text, rootOf())?.settings.filter(({ key }) => key.startsWith('waves.'));

  expect(waves).toMatchObject([
    {
      key: 'waves.canary',
      value:
        'at most 10% of the roots of a merge, then it soaks for 30m, and is checked by page (every 1m, halts after 3 failures)',
      sources: [{ at: { path: 'waves[0]' }, match: 'prod/** of all repositories', counts: true }],
    },
    { key: 'waves.late', value: expect.stringMatching(/a command in the first root of the wave, .*a command in db, /) },
  ]);
});

test('lists the jobs that wait for the root, the destinations that hear of it, and where GitHub shows it', () => {
  const text = `${SERVER}protection_rules:
  - { environment: staging, roots: [dev/**] }
  - { environment: production, roots: [prod/**] }
notifications:
  - { name: dev, kind: teams, secret_file: /run/teams, roots: [dev/**] }
  - { name: ops, kind: teams, secret_file: /run/teams, when: [failed, halted, stuck], repositories: [acme/*] }
  - { name: prod, kind: teams, secret_file: /run/teams, when: [failed, halted, stuck], roots: [prod/**] }
  - { name: none, kind: teams, secret_file: /run/teams, when: [forged], roots: [prod/**] }
deployments: { environment: "live/{root}", roots: [prod] }
`;

  const found = explain(text, rootOf())?.settings.filter(({ key }) => /^(protection|notif|deploym)/.test(key));

  expect(found).toMatchObject([
    {
      key: 'protection_rules.production',
      value: 'jobs in production wait until the root is applied',
      sources: [{ at: { path: 'protection_rules[1]' }, match: 'prod/** of all repositories', value: 'production' }],
    },
    {
      key: 'notifications.ops',
      value: 'teams, told of failed, halted',
      sources: [{ at: { path: 'notifications[1]' }, match: 'all roots of acme/*', value: 'teams' }],
    },
    { key: 'notifications.prod', value: 'teams, told of failed' },
    { key: 'notifications.none', value: 'teams, told of nothing' },
    {
      key: 'deployments',
      value: 'GitHub shows each apply in the environment live/{root}',
      sources: [{ at: { path: 'deployments' }, match: 'prod of all repositories', value: 'live/{root}' }],
    },
  ]);
});

test('says of a root that is discovered that no file declares it', () => {
  const root: RootConfig = { name: 'prod-db', dir: 'prod/db', workspace: 'default', enabled: true, varFiles: [] };

  const found = explain(SERVER, root);

  expect(found).not.toHaveProperty('declaredAt');
  expect(found?.settings.find(({ key }) => key === 'plan_review')).toMatchObject({ value: 'required' });
});

test('has nothing to say of a repository that no entry matches', () => {
  expect(explain(SERVER, rootOf(), { repository: 'other/infra' })).toBeUndefined();
});

describe('whatever the rules are', () => {
  const review = fc.constantFrom(...PLAN_REVIEWS, undefined);
  const entry = fc.record({ own: review, rules: fc.array(review, { maxLength: 3 }) });

  test('the value is the resolver’s, and comes from the source that counts', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
        const server = `repositories:\n${entries.map(writtenEntry).join('')}${STORAGE}`;
        const config = configOf(server);
        const policy = policyFor(config, 'acme/infra');
        const found = explain(server, rootOf())?.settings.find(({ key }) => key === 'plan_review');
        const counting = found?.sources.filter(({ counts }) => counts) ?? [];

        expect(found?.value).toBe(policy && resolveRoot(policy, rootOf()).planReview);
        expect(counting.map(({ value }) => value)).toEqual(found?.isDefault ? [] : [found?.value]);
        for (const { counts, why } of found?.sources ?? []) expect(why !== undefined).toBe(!counts);
      }),
    );
  });
});

interface WrittenEntry {
  readonly own: string | undefined;
  readonly rules: readonly (string | undefined)[];
}

/** The directories of the rules all lead to the root. */
const GLOBS = ['prod', 'prod/*', 'prod/**'];
const MATCHES = ['acme/infra', 'acme/*', '"*/*"'];

function writtenEntry({ own, rules }: WrittenEntry, at: number): string {
  const written = rules.flatMap((rule, index) => (rule ? [`"${GLOBS[index] ?? ''}": { plan_review: ${rule} }`] : []));
  return `  - { match: ${MATCHES[at] ?? ''}${own ? `, plan_review: ${own}` : ''}, roots: { ${written.join(', ')} } }\n`;
}

function explained(): Explanation {
  const found = explain(SERVER, rootOf(), { own: OWN });
  if (found === undefined) throw new Error('expected the repository of this test to be allowed');
  return found;
}

function settingOf(key: string): ExplainedSetting | undefined {
  return explained().settings.find((setting) => setting.key === key);
}

interface Surroundings {
  readonly repository?: string;
  readonly realDir?: string;
  /** Its file. */
  readonly own?: string;
}

function explain(
  text: string,
  root: RootConfig,
  { repository = 'acme/infra', realDir = root.dir, own }: Surroundings = {},
): Explanation | undefined {
  return explainRoot({
    server: { file: 'server.yaml', text, config: configOf(text) },
    ...{ repository, root, realDir },
    ...(own !== undefined && { declaredIn: { file: 'nereid.yaml', text: own } }),
  });
}

function rootOf(wanted = 'network'): RootConfig {
  const policy = policyFor(configOf(SERVER), 'acme/infra');
  if (policy === undefined) throw new Error('expected the repository of this test to be allowed');
  const read = readRepositoryConfig({ file: 'nereid.yaml', text: OWN, policy });
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  const root = read.config.roots.find(({ name }) => name === wanted);
  if (root === undefined) throw new Error('expected the root of this test to be declared');
  return root;
}

function configOf(text: string) {
  const read = readServerConfig(text);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  return read.config;
}
