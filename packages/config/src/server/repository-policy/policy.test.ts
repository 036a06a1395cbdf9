import { describe, expect, test } from '@jest/globals';
import { policyWith, serverWith } from './policy.fixture.ts';
import { policyFor } from './policy.ts';
import { settingsFor } from './settings-for.ts';
import { readServerConfig } from '../read-server-config.ts';
import { OVERRIDES } from '../../settings/overrides.ts';
import { resolveRoot } from '../../repository/resolve-root.ts';
import type { RootConfig } from '../../repository/repository-config.ts';

const HOUR_MS = 3_600_000;
const STORAGE = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';

describe('which repositories are allowed', () => {
  const server = serverWith('repositories: [{ match: acme/* }, { match: other/in?ra }, { match: "team/{a,b}" }]');

  test.each(['acme/infra', 'ACME/Infra', 'acme/.github', 'other/infra', 'team/b'])(
    'the repository %s is allowed',
    (repository) => {
      expect(policyFor(server, repository)).toBeDefined();
    },
  );

  test.each(['acme', 'acme/', 'acme/a/b', 'xacme/infra', 'other/infrastructure', 'team/c'])(
    'the repository %j is not allowed',
    (repository) => {
      expect(policyFor(server, repository)).toBeUndefined();
    },
  );
});

describe('the age of a plan', () => {
  const ageFor = (entries: string, dirs: readonly string[]) =>
    settingsFor(policyWith(`repositories: ${entries}`), { name: 'r', dirs }).maxPlanAgeMs;

  test.each([
    ['has no limit without a setting', '[{ match: acme/* }]', ['prod'], undefined],
    ['is that of the entry', '[{ match: acme/*, max_plan_age: 24h }]', ['prod'], 24 * HOUR_MS],
    [
      'is that of a rule',
      '[{ match: acme/*, max_plan_age: 24h, roots: { dev: { max_plan_age: 48h } } }]',
      ['dev'],
      48 * HOUR_MS,
    ],
    [
      'is the shortest of all rules that match',
      '[{ match: acme/*, roots: { prod: { max_plan_age: 8h }, "**": { max_plan_age: 4h } } }]',
      ['prod'],
      4 * HOUR_MS,
    ],
    [
      'is the shortest of all directories of a root',
      '[{ match: acme/*, max_plan_age: 24h, roots: { prod: { max_plan_age: 8h } } }]',
      ['dev', 'prod'],
      8 * HOUR_MS,
    ],
  ] as const)('%s', (_what, entries, dirs, ms) => {
    expect(ageFor(entries, dirs)).toBe(ms);
  });
});

describe('whether going back is planned after a failed apply', () => {
  test.each([
    ['is the default', '[{ match: acme/* }]', undefined],
    ['is off where an entry says so', '[{ match: acme/*, prepare_revert: false }]', false],
    [
      'is what a rule says',
      '[{ match: acme/*, prepare_revert: false, roots: { prod: { prepare_revert: true } } }]',
      true,
    ],
    ['is off for some directories alone', '[{ match: acme/*, roots: { dev: { prepare_revert: false } } }]', undefined],
  ])('%s', (_what, entries, expected) => {
    expect(settingsFor(policyWith(`repositories: ${entries}`), { name: 'r', dirs: ['prod'] }).prepareRevert).toBe(
      expected,
    );
  });

  test('is no setting of a repository, and takes true or false', () => {
    const wrong = readServerConfig(`repositories: [{ match: acme/*, prepare_revert: never }]\n${STORAGE}`);

    expect(wrong).toMatchObject({ kind: 'invalid', problems: [{ path: 'repositories[0].prepare_revert' }] });
    expect(OVERRIDES).not.toContain('prepare_revert');
  });
});

describe('which setting wins', () => {
  test('the first that is set, from top to bottom; later entries fill in the rest', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, plan_review: auto }
  - { match: acme/*, plan_review: required, queue: newest, branch: release }
  - { match: "*/*", queue: every, on_failure: halt, branch: main }`);

    expect(resolveRoot(policy, aRoot())).toMatchObject({ planReview: 'auto', queue: 'newest', onFailure: 'halt' });
    expect(policy.branch).toBe('release');
  });

  test('a pull request has a comment where something changes, unless an entry says otherwise', () => {
    const commentOf = (entries: string) => policyWith(`repositories: ${entries}`).pullRequestComment;

    expect(commentOf('[{ match: acme/infra }]')).toBe('changes');
    expect(commentOf('[{ match: acme/infra, pull_request_comment: "off" }, { match: "*/*" }]')).toBe('off');
    expect(commentOf('[{ match: acme/infra }, { match: "*/*", pull_request_comment: always }]')).toBe('always');
  });

  test('plans that are out of date block nobody, unless an entry says otherwise', () => {
    const staleOf = (entries: string) => policyWith(`repositories: ${entries}`).stale;

    expect(staleOf('[{ match: acme/infra }]')).toBe('show');
    expect(staleOf('[{ match: acme/infra, stale: show }, { match: "*/*", stale: block }]')).toBe('show');
    expect(staleOf('[{ match: acme/infra }, { match: "*/*", stale: block }]')).toBe('block');
  });

  test('a rule for roots goes before the settings of every entry', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, plan_review: auto }
  - { match: acme/*, roots: { "prod/**": { plan_review: required } } }`);

    expect(resolveRoot(policy, aRoot({ dir: 'prod/network' })).planReview).toBe('required');
    expect(resolveRoot(policy, aRoot({ dir: 'dev/network' })).planReview).toBe('auto');
  });

  test('permissions are merged action by action', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, permissions: { confirm: { permission: admin } } }
  - { match: acme/*, permissions: { confirm: { permission: write }, unlock: { permission: maintain } } }`);

    expect(resolveRoot(policy, aRoot()).permissions).toEqual({
      confirm: [{ permission: 'admin' }],
      unlock: [{ permission: 'maintain' }],
    });
  });

  test('timeouts are merged job by job', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, timeout: { plan: 90m }, roots: { "prod/*": { timeout: { apply: 24h } } } }
  - { match: acme/*, timeout: { plan: 3h, apply: 2h } }`);

    expect(resolveRoot(policy, aRoot()).timeoutMs).toEqual({ plan: 1.5 * HOUR_MS, apply: 2 * HOUR_MS });
    expect(resolveRoot(policy, aRoot({ dir: 'prod/network' })).timeoutMs).toEqual({
      plan: 1.5 * HOUR_MS,
      apply: 24 * HOUR_MS,
    });
  });

  test('what nobody sets is the careful choice', () => {
    const policy = policyWith('repositories: [{ match: acme/* }]');

    expect(resolveRoot(policy, aRoot())).toEqual({
      name: 'network',
      dir: 'infra/network',
      workspace: 'default',
      distribution: 'terraform',
      planReview: 'required',
      queue: 'every',
      onFailure: 'continue',
      varFiles: [],
      timeoutMs: { plan: HOUR_MS, apply: HOUR_MS },
      steps: {
        plan: [
          { kind: 'init', extraArgs: [] },
          { kind: 'plan', extraArgs: [] },
        ],
        apply: [{ kind: 'apply', extraArgs: [] }],
      },
      permissions: {},
    });
  });
});

describe('a rule for a directory', () => {
  const policy = policyWith(`
repositories:
  - match: acme/infra
    plan_review: auto
    workflow: fast
    roots:
      prod: { plan_review: required, workflow: careful, permissions: { confirm: { teams: [acme/sre] } } }
      "name:prod-*": { plan_review: required }
      "dev/**": { plan_review: auto }
workflows:
  fast: { plan: [plan], apply: [apply] }
  careful: { plan: [init, plan], apply: [apply] }`);
  const demands = {
    planReview: 'required',
    permissions: { confirm: expect.arrayContaining([{ teams: ['acme/sre'] }]) },
    steps: { plan: [{ kind: 'init' }, { kind: 'plan' }] },
  };

  test.each([
    ['the directory itself', 'prod'],
    ['the directories below', 'prod/eu/network'],
    ['whatever the case', 'PROD/network'],
  ])('a rule for a directory holds for %s', (_what, dir) => {
    expect(resolveRoot(policy, aRoot({ dir }))).toMatchObject(demands);
  });

  test.each([
    ['another name', { name: 'harmless', dir: 'prod/network' }],
    ['another workspace', { workspace: 'other', dir: 'prod/network' }],
  ])('is not escaped by %s', (_what, root) => {
    expect(resolveRoot(policy, aRoot(root))).toMatchObject(demands);
  });

  test('is not escaped by a symbolic link, in either direction', () => {
    expect(resolveRoot(policy, aRoot({ dir: 'dev/link' }), 'prod/network')).toMatchObject(demands);
    expect(resolveRoot(policy, aRoot({ dir: 'prod/link' }), 'dev/network')).toMatchObject(demands);
  });

  test('does not hold for other directories', () => {
    for (const dir of ['production/network', 'modules/prod', '.']) {
      expect(resolveRoot(policy, aRoot({ dir }))).toMatchObject({ planReview: 'auto', permissions: {} });
    }
  });

  test('holds where the directory is not known', () => {
    expect(settingsFor(policy, { name: 'network' })).toMatchObject({
      planReview: 'required',
      permissions: demands.permissions,
    });
  });

  test('does not replace what the whole repository asks for where the directory is not known', () => {
    const guarded = policyWith(`
repositories:
  - match: acme/*
    permissions: { confirm: { teams: [acme/sre] } }
    roots: { sandbox: { permissions: { confirm: { permission: write } } } }`);

    expect(settingsFor(guarded, { name: 'network' }).permissions.confirm).toContainEqual({ teams: ['acme/sre'] });
  });

  test('holds for names with the end of a line in them', () => {
    const everywhere = policyWith(
      'repositories: [{ match: acme/*, plan_review: auto, roots: { "**": { plan_review: required } } }]',
    );

    for (const dir of ['x\u2028y', 'x\ny/z']) {
      expect(resolveRoot(everywhere, aRoot({ dir })).planReview).toBe('required');
    }
  });

  test('for all directories holds for the top, too', () => {
    const everywhere = policyWith(
      'repositories: [{ match: acme/*, roots: { "**": { plan_review: auto_unless_destroy } } }]',
    );

    expect(resolveRoot(everywhere, aRoot({ dir: '.' })).planReview).toBe('auto_unless_destroy');
  });
});

describe('of several rules that match', () => {
  test('the strictest counts, whatever their order', () => {
    const policy = policyWith(`
repositories:
  - match: acme/infra
    roots:
      "**": { plan_review: auto, on_failure: continue, permissions: { confirm: { permission: maintain } } }
  - match: acme/*
    roots:
      "prod/**": { plan_review: required, on_failure: halt, permissions: { confirm: { not_author: true } } }
      "name:network": { plan_review: auto_unless_destroy, permissions: { confirm: { permission: maintain } } }`);

    expect(resolveRoot(policy, aRoot({ dir: 'prod/network' }))).toMatchObject({
      planReview: 'required',
      onFailure: 'halt',
      permissions: { confirm: [{ permission: 'maintain' }, { notAuthor: true }] },
    });
    expect(resolveRoot(policy, aRoot({ dir: 'dev/network' })).planReview).toBe('auto_unless_destroy');
  });

  test('none loosens what an entry above its own sets', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, plan_review: required, permissions: { confirm: { teams: [acme/leads] } } }
  - match: acme/*
    plan_review: required
    roots: { "**": { plan_review: auto, queue: newest, permissions: { confirm: { permission: write } } } }`);

    expect(resolveRoot(policy, aRoot())).toMatchObject({
      planReview: 'required',
      queue: 'newest',
      permissions: { confirm: [{ permission: 'write' }, { teams: ['acme/leads'] }] },
    });
  });

  test('for one directory of a root but not for the other, the other keeps its default', () => {
    const policy = policyWith(`
repositories: [{ match: acme/*, roots: { "dev/**": { permissions: { apply_force: { permission: write } } } } }]`);

    const { permissions } = resolveRoot(policy, aRoot({ dir: 'dev/link' }), 'prod/network');

    expect(permissions.apply_force).toEqual([{}, { permission: 'write' }]);
  });
});

describe('the network of a root', () => {
  const networkOf = (yaml: string, dir: string, realDir?: string) =>
    resolveRoot(policyWith(yaml), aRoot({ dir }), realDir).network;
  const RULES = 'repositories: [{ match: acme/*, roots: { "prod/**": { network: none }, "**": { network: host } } }]';

  test("is the server's, if nobody says otherwise, and the order says nothing of it", () => {
    const yaml = 'repositories: [{ match: acme/* }]\nterraform: { network: none }';

    expect(resolveRoot(policyWith(yaml), aRoot())).not.toHaveProperty('network');
  });

  test('is none as soon as one of its rules wants that', () => {
    expect(networkOf(RULES, 'prod/a')).toBe('none');
    expect(networkOf(RULES, 'dev/link', 'prod/a')).toBe('none');
    expect(networkOf(`${RULES}\nterraform: { network: none }`, 'dev/a')).toBe('host');
  });

  test('is what the entry of its repository says, for roots without a rule', () => {
    expect(networkOf('repositories: [{ match: acme/*, network: none }]', 'dev/a')).toBe('none');
  });
});

describe("what a repository's own file can change", () => {
  test('what the server lets it', () => {
    const policy = policyWith(`
repositories: [{ match: acme/*, allowed_overrides: [plan_review, workflow, distribution, queue, on_failure] }]
workflows: { other: { plan: [plan], apply: [apply] } }`);
    const root = aRoot({
      planReview: 'auto',
      workflow: 'other',
      distribution: 'tofu',
      queue: 'newest',
      onFailure: 'halt',
    });

    expect(resolveRoot(policy, root)).toMatchObject({
      planReview: 'auto',
      distribution: 'tofu',
      queue: 'newest',
      onFailure: 'halt',
      steps: { plan: [{ kind: 'plan', extraArgs: [] }] },
    });
  });

  test("of the timeouts what it sets, and the rest stays the server's", () => {
    const policy = policyWith(
      'repositories: [{ match: acme/*, allowed_overrides: [timeout], timeout: { plan: 2h, apply: 2h } }]',
    );

    const { timeoutMs } = resolveRoot(policy, aRoot({ timeoutMs: { apply: 5 * HOUR_MS } }));

    expect(timeoutMs).toEqual({ plan: 2 * HOUR_MS, apply: 5 * HOUR_MS });
  });

  test('by default the version of Terraform and nothing else', () => {
    const policy = policyWith('repositories: [{ match: acme/* }]');

    const root = resolveRoot(policy, aRoot({ terraformVersion: '1.2.3', planReview: 'auto' }));

    expect(root).toMatchObject({ terraformVersion: '1.2.3', planReview: 'required' });
  });

  test('never what a rule sets', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, roots: { "prod/*": { plan_review: required } } }
  - { match: acme/*, allowed_overrides: [plan_review] }`);

    expect(resolveRoot(policy, aRoot({ dir: 'prod/a', planReview: 'auto' })).planReview).toBe('required');
  });
});

test('a workflow that slipped through the rules is a bug, said so', () => {
  const policy = policyWith('repositories: [{ match: acme/*, allowed_overrides: [workflow] }]');

  expect(() => resolveRoot(policy, aRoot({ workflow: 'constructor' }))).toThrow(
    "expected a workflow of the server's configuration",
  );
});

function aRoot(root: Partial<RootConfig> = {}): RootConfig {
  return { name: 'network', dir: 'infra/network', workspace: 'default', enabled: true, varFiles: [], ...root };
}
