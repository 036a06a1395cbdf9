import { describe, expect, test } from '@jest/globals';
import { policyWith, serverWith } from './policy.fixture.ts';
import { policyFor } from './policy.ts';
import { resolveRoot } from './resolve-root.ts';
import type { RootConfig } from '../repository/repository-config.ts';

const HOUR_MS = 3_600_000;

describe('which repositories are allowed', () => {
  const server = serverWith('repositories: [{ match: acme/* }, { match: other/in?ra }, { match: "team/{a,b}" }]');

  test.each(['acme/infra', 'ACME/Infra', 'acme/.github', 'other/infra', 'team/b'])('%s is', (repository) => {
    expect(policyFor(server, repository)).toBeDefined();
  });

  test.each(['acme', 'acme/', 'acme/a/b', 'xacme/infra', 'other/infrastructure', 'team/c'])(
    '%j is not',
    (repository) => {
      expect(policyFor(server, repository)).toBeUndefined();
    },
  );
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

  test('a setting for roots by name goes before that of its own entry', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, plan_review: auto, roots: { "prod-*": { plan_review: required } } }`);

    expect(resolveRoot(policy, aRoot({ name: 'prod-network' })).planReview).toBe('required');
    expect(resolveRoot(policy, aRoot({ name: 'dev-network' })).planReview).toBe('auto');
  });

  test('permissions are merged action by action', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, permissions: { confirm: { permission: admin } } }
  - { match: acme/*, permissions: { confirm: { permission: write }, unlock: { permission: maintain } } }`);

    expect(resolveRoot(policy, aRoot()).permissions).toEqual({
      confirm: { permission: 'admin' },
      unlock: { permission: 'maintain' },
    });
  });

  test('timeouts are merged job by job', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, timeout: { plan: 90m }, roots: { "prod-*": { timeout: { apply: 24h } } } }
  - { match: acme/*, timeout: { plan: 3h, apply: 2h } }`);

    expect(resolveRoot(policy, aRoot()).timeoutMs).toEqual({ plan: 1.5 * HOUR_MS, apply: 2 * HOUR_MS });
    expect(resolveRoot(policy, aRoot({ name: 'prod-network' })).timeoutMs).toEqual({
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

  test('never what the server sets for the root by name', () => {
    const policy = policyWith(`
repositories:
  - { match: acme/infra, roots: { "prod-*": { plan_review: required } } }
  - { match: acme/*, allowed_overrides: [plan_review] }`);

    expect(resolveRoot(policy, aRoot({ name: 'prod-a', planReview: 'auto' })).planReview).toBe('required');
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
