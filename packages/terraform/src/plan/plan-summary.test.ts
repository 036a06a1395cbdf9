import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PlanSummary } from '@nereid/domain/plan';
import { fixture, testdir } from '../../fixtures/fixture.ts';
import { parsePlan, readPlan } from './read-plan.ts';

const UNSTOPPED = new AbortController().signal;

test('every kind of change is counted, and what destroys is listed first', async () => {
  const summary = summaryOf(await readFile(fixture('terraform-1.11.4-plan.json'), 'utf8'));

  expect(summary).toEqual({
    create: 2,
    update: 1,
    replace: 1,
    delete: 1,
    import: 1,
    move: 1,
    forget: 1,
    outputs: 1,
    resources: [
      { address: 'terraform_data.deleted', action: 'delete' },
      { address: 'terraform_data.replaced', action: 'replace' },
      { address: 'terraform_data.forgotten', action: 'forget' },
      { address: 'terraform_data.updated', action: 'update' },
      { address: 'terraform_data.created[0]', action: 'create' },
      { address: 'terraform_data.created[1]', action: 'create' },
      { address: 'terraform_data.imported', action: 'import' },
      { address: 'terraform_data.new_name', action: 'move' },
    ],
    omitted: 0,
  });
});

describe('the types of what changes', () => {
  const typesOf = (more: object) => {
    const read = parsePlan(JSON.stringify({ format_version: '1.2', ...more }));
    return read.kind === 'read' ? read.types : read;
  };
  const change = (type: string | undefined, actions: string, more: object = {}) => ({
    ...{ address: 'a.b', type, change: { actions: actions.split(',') } },
    ...more,
  });

  test('are told, each once, of all that is changed, moved or imported', async () => {
    const read = parsePlan(await readFile(fixture('terraform-1.11.4-plan.json'), 'utf8'));

    expect(read).toMatchObject({ kind: 'read', types: ['terraform_data'] });
    const moved = change('c', 'no-op', { previous_address: 'a.c' });
    expect(
      typesOf({ resource_changes: [change('b', 'create'), change('a', 'delete'), change('b', 'update'), moved] }),
    ).toEqual(['a', 'b', 'c']);
  });

  test('are none of what is only read, or stays as it is', () => {
    expect(typesOf({ resource_changes: [change('a', 'read'), change('b', 'no-op')] })).toEqual([]);
  });

  test.each([
    ['a resource tells none', { resource_changes: [change(undefined, 'create')] }],
    ['a type is odd', { resource_changes: [change('a b', 'create')] }],
    [
      'there are too many',
      { resource_changes: Array.from({ length: 51 }, (_, index) => change(`t${index}`, 'create')) },
    ],
    ['actions are invoked', { action_invocations: [{ address: 'action.aws_lambda_invoke.x' }] }],
    ['some actions are deferred', { deferred_action_invocations: [{}] }],
    ['some changes are deferred', { deferred_changes: [{}] }],
    ['what else happens is in a form that nobody knows', { action_invocations: {} }],
  ])('are not told where %s', (_why, plan) => {
    expect(typesOf(plan)).toBeUndefined();
  });
});

test('what an apply does or leaves undone besides is an unknown change, with Terraform’s words', () => {
  const plan = {
    action_invocations: [
      {
        address: 'action.aws_lambda_invoke.warm',
        lifecycle_action_trigger: { triggering_resource_address: 'a.b', action_trigger_event: 'AfterCreate' },
      },
      { address: 'action.aws_ec2_stop_instance.x', invoke_action_trigger: {} },
    ],
    deferred_changes: [
      { reason: 'provider_config_unknown', resource_change: { address: 'b.c', change: { actions: ['create'] } } },
    ],
    deferred_action_invocations: [{ reason: 'deferred_prereq', action_invocation: { address: 'action.a.b' } }, 5],
  };

  expect(summaryOf(JSON.stringify({ format_version: '1.2', ...plan }))).toMatchObject({
    unknown: 5,
    resources: [
      { address: 'action.aws_lambda_invoke.warm', action: 'unknown', words: 'invoke, AfterCreate' },
      { address: 'action.aws_ec2_stop_instance.x', action: 'unknown', words: 'invoke' },
      { address: 'b.c', action: 'unknown', words: 'deferred, provider_config_unknown' },
      { address: 'action.a.b', action: 'unknown', words: 'invocation deferred, deferred_prereq' },
      { address: '?', action: 'unknown', words: 'in a form that is not known' },
    ],
  });
});

test('no value of a plan is in its summary', async () => {
  const text = await readFile(fixture('terraform-1.11.4-plan.json'), 'utf8');

  expect(text).toContain('new secret');
  expect(JSON.stringify(summaryOf(text))).not.toContain('secret');
});

test('200 resources are listed, the rest is counted', () => {
  const summary = summaryOf(aPlan(Array.from({ length: 250 }, (_, index) => [`a.b[${index}]`, 'create'])));

  expect(summary.create).toBe(250);
  expect(summary.resources).toHaveLength(200);
  expect(summary.omitted).toBe(50);
});

test('a long address is cut', () => {
  const [resource] = summaryOf(aPlan([[`a.b["${'x'.repeat(500)}"]`, 'delete']])).resources;

  expect(resource?.address).toHaveLength(200);
});

test('a resource that moves and changes is listed by its change and counted as both', () => {
  const plan = aPlan([['a.new', 'update', 'a.old']]);

  expect(summaryOf(plan)).toMatchObject({
    update: 1,
    move: 1,
    resources: [{ address: 'a.new', action: 'update' }],
  });
});

test.each(['forget,create', 'create,forget'])('a replacement that forgets (%s) forgets and creates', (actions) => {
  expect(summaryOf(aPlan([['a.b', actions]]))).toMatchObject({
    ...{ create: 1, forget: 1, replace: 0, delete: 0 },
    resources: [
      { address: 'a.b', action: 'forget' },
      { address: 'a.b', action: 'create' },
    ],
  });
});

test.each(['explode', 'create,explode', '', 'no-op,create'])(
  'unknown actions (%s) are told by their words',
  (actions) => {
    const words = actions.replaceAll(',', ', ');

    expect(
      summaryOf(
        aPlan([
          ['a.b', actions],
          ['a.c', 'delete'],
        ]),
      ),
    ).toMatchObject({
      ...{ create: 0, unknown: 1, delete: 1 },
      resources: [
        { address: 'a.b', action: 'unknown', words },
        { address: 'a.c', action: 'delete' },
      ],
    });
  },
);

test('a plan whose actions are all known has no others', () => {
  expect(summaryOf(aPlan([['a.b', 'create']]))).not.toHaveProperty('unknown');
});

test('checks that failed are told by the messages of their authors', () => {
  const check = (name: string, status: string, messages: readonly string[]) => ({
    address: { kind: 'check', to_display: `check.${name}` },
    status,
    instances: [{ status, problems: messages.map((message) => ({ message })) }],
  });
  const checks = [
    check('a', 'pass', []),
    check('b', 'fail', ['one', 'two']),
    check('c', 'error', []),
    check('d', 'unknown', []),
  ];

  expect(parsePlan(JSON.stringify({ format_version: '1.2', checks }))).toMatchObject({
    failedChecks: ['check.b failed: one', 'check.b failed: two', 'check.c failed'],
  });
});

test('checks of another form, which Terraform calls experimental, are none', () => {
  expect(parsePlan('{"format_version":"1.2","checks":"?"}')).toMatchObject({ kind: 'read', failedChecks: [] });
});

describe('a plan that cannot be read', () => {
  test.each([
    ['is not JSON', 'Error: a secret'],
    ['has another format', '{"format_version":"2.0"}'],
    ['ended with an error', '{"format_version":"1.2","errored":true}'],
    ['has resources of another type', '{"format_version":"1.2","resource_changes":"a secret"}'],
  ])('a plan that %s says so without its content', async (_, text) => {
    await using folder = await testdir({ 'plan.json': text });

    const read = await readPlan(path.join(folder.path, 'plan.json'), UNSTOPPED);

    expect(read.kind).toBe('unreadable');
    expect(JSON.stringify(read)).not.toContain('secret');
  });
});

test('a large plan is read in a thread, with the same result', async () => {
  await using folder = await testdir();
  const file = path.join(folder.path, 'plan.json');
  const plan = aPlan(Array.from({ length: 20_000 }, (_, index) => [`a.b[${index}]`, 'update']));
  await writeFile(file, plan);

  const same = { kind: 'read', summary: summaryOf(plan), failedChecks: [], sensitive: [] };
  expect(await readPlan(file, UNSTOPPED)).toEqual(same);
});

test('a large file that is no plan ends its thread with the same sentence', async () => {
  await using folder = await testdir({ 'plan.json': 'x'.repeat(1_000_000) });

  const read = await readPlan(path.join(folder.path, 'plan.json'), UNSTOPPED);

  expect(read).toEqual({ kind: 'unreadable', why: 'expected JSON, found something else' });
});

type Resource = readonly [address: string, action: string, previous?: string];

function aPlan(resources: readonly Resource[]): string {
  return JSON.stringify({
    format_version: '1.2',
    resource_changes: resources.map(([address, action, previous]) => ({
      address,
      change: { actions: action === '' ? [] : action.split(',') },
      ...(previous === undefined ? {} : { previous_address: previous }),
    })),
  });
}

function summaryOf(text: string): PlanSummary {
  const read = parsePlan(text);
  if (read.kind === 'unreadable') throw new Error(read.why);
  return read.summary;
}

describe('a plan destroys things for want of code', () => {
  const read = (action: string, rootModule?: object) =>
    parsePlan(
      JSON.stringify({
        format_version: '1.2',
        resource_changes: [{ address: 'a.b', change: { actions: [action] } }],
        ...(rootModule && { configuration: { root_module: rootModule } }),
      }),
    );

  test.each<[string, object]>([
    ['nothing', {}],
    ['outputs', { outputs: { a: {} } }],
    ['data sources', { resources: [{ address: 'data.a.b', mode: 'data' }] }],
  ])('whose root declares %s', (_what, rootModule) => {
    expect(read('delete', rootModule)).toMatchObject({ isWithoutCode: true });
  });

  test.each<[string, string, object | undefined]>([
    ['that destroys nothing', 'forget', {}],
    ['with a resource', 'delete', { resources: [{ address: 'a.c', mode: 'managed' }] }],
    ['with a module', 'delete', { module_calls: { m: {} } }],
    ['of a program that does not say', 'delete', undefined],
  ])('but not one %s', (_which, action, rootModule) => {
    expect(read(action, rootModule)).not.toHaveProperty('isWithoutCode');
  });
});
