import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../../server/repository-policy/policy.fixture.ts';
import { resolveRoot } from '../resolve-root.ts';
import { readRepositoryConfig } from '../read-repository-config.ts';

const HOOKED = 'workflows: { hooked: { plan: [{ run: x }, init, plan], apply: [apply] } }';
const CHOOSES = `repositories: [{ match: acme/infra, allowed_overrides: [workflow] }]\n${HOOKED}`;
const CHOOSES_NOT = `repositories: [{ match: acme/infra }]\n${HOOKED}`;

/** Reads a project that names the workflow, of which the file has this definition. */
function read(workflow: string, { definition = '', server = CHOOSES } = {}) {
  const policy = policyWith(server);
  const text = `version: 3\nprojects: [{ dir: a, workflow: ${workflow} }]\n${definition && `workflows: { ${workflow}: ${definition} }`}\n`;
  const found = readRepositoryConfig({ file: 'atlantis.yaml', text, policy });
  const [root] = found.kind === 'ok' ? found.config.roots : [];
  if (found.kind !== 'ok' || root === undefined) throw new Error(JSON.stringify(found));
  return {
    root,
    steps: resolveRoot(policy, root).steps.plan,
    warnings: found.warnings.map(({ message }) => message),
  };
}

describe('a project is refused, whose workflow nobody has here,', () => {
  test.each([
    ['if the file does not define it', '', 'so what it does is not known'],
    [
      'if its plans get variables',
      '{ plan: { steps: [init, { plan: { extra_args: [-var-file=prod.tfvars] } }] } }',
      'which has the argument "-var-file=prod.tfvars"',
    ],
    [
      'if the variables are an argument of their own',
      '{ plan: { steps: [{ plan: { extra_args: ["-var", "a=b"] } }] } }',
      'which has the argument "-var"',
    ],
    [
      'if its backend gets settings',
      '{ plan: { steps: [{ init: { extra_args: [-backend-config=prod.hcl] } }, plan] } }',
      'which has the argument "-backend-config=prod.hcl"',
    ],
    [
      'if it plans a part',
      '{ plan: { steps: [init, { plan: { extra_args: [-lock=false, -target=a.b] } }] } }',
      'which has the argument "-target=a.b"',
    ],
    [
      'if it sets variables',
      '{ plan: { steps: [{ env: { name: TF_VAR_a, value: b } }, init, plan] } }',
      'which has a step "env"',
    ],
    ['if it runs commands', '{ apply: { steps: [{ run: terragrunt apply }] } }', 'which has a step "run"'],
    ['if it has a step that nobody knows', '{ plan: { steps: [init, paln] } }', 'which has a step "paln"'],
  ])('a project with another workflow is refused %s', (_why, definition, difference) => {
    const { root, steps, warnings } = read('prod', { definition });

    const why = `the server has no workflow "prod", ${difference}: add it to the server's file, or remove it`;
    expect(root).toMatchObject({ refused: why });
    expect(steps[0]).toEqual({ kind: 'refuse', why });
    expect(warnings.filter((warning) => warning.includes('prod'))).toEqual([`${why}; until then, its plans fail`]);
  });
});

test('a project whose workflow the server does not let it choose is refused', () => {
  expect(read('hooked', { server: CHOOSES_NOT }).steps[0]).toEqual({
    kind: 'refuse',
    why: 'the server does not let this repository choose the workflow "hooked", so what it does is not known: let it, by allowed_overrides, or remove it',
  });
});

describe('a project has the steps of the server', () => {
  test('where it names one of its workflows', () => {
    expect(read('hooked')).toMatchObject({
      steps: [{ kind: 'run' }, { kind: 'init' }, { kind: 'plan' }],
      warnings: [],
    });
  });

  test('where the server has chosen its workflow', () => {
    const server = CHOOSES_NOT.replace('acme/infra', 'acme/infra, workflow: hooked');

    expect(read('prod', { server })).toMatchObject({
      steps: [{ kind: 'run' }, { kind: 'init' }, { kind: 'plan' }],
      warnings: ['the server has no workflow "prod"; the server\'s own choice counts'],
    });
  });

  test.each([
    ['default', ''],
    ['default', '{}'],
    [
      'quick',
      '{ plan: { steps: [init, { plan: { extra_args: [-parallelism=20, -lock=false, -lock-timeout=5m] } }] } }',
    ],
    ['checked', '{ plan: { steps: [init, plan] }, policy_check: { steps: [{ run: x }] }, apply: { steps: } }'],
  ])('a project has the steps of the server where its own would do the same: %s %s', (workflow, definition) => {
    const { steps, warnings } = read(workflow, { definition });

    expect(steps).toEqual([
      { kind: 'init', extraArgs: [] },
      { kind: 'plan', extraArgs: [] },
    ]);
    expect(warnings[0]).toBe(`the server has no workflow "${workflow}"; it is ignored`);
  });
});
