import { writeFileSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Root, Step } from '@nereid/domain/root';
import { StopRequest } from '@nereid/subprocess';
import {
  HURRIED_PATIENCE,
  aJob,
  aRoot,
  fixture,
  realTerraform,
  stepsWithLocalState,
  testdir,
} from '../../fixtures/fixture.ts';
import type { MadePlanFile } from '../job/job-options.ts';
import { digestOf } from './digest.ts';
import { planRoot } from './plan-root.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const terraform = await realTerraform();

describe('with real Terraform', () => {
  test('a plan with changes is told with its digest and its counts', async () => {
    await using folder = await testdir({
      'tree/main.tf': `${LOCAL}resource "terraform_data" "a" {}\noutput "o" { value = 1 }`,
    });
    const { options, logged } = aJob(folder.path, terraform, {
      root: aRoot({ steps: stepsWithLocalState(folder.path) }),
    });

    const result = await planRoot(options);

    expect(result).toEqual({
      kind: 'planned',
      hasChanges: true,
      digest: await digestOf(options.planFile),
      summary: expect.objectContaining({
        create: 1,
        outputs: 1,
        resources: [{ address: 'terraform_data.a', action: 'create' }],
      }),
      types: ['terraform_data'],
      stateVersion: '0 ',
      texts: {
        text: { text: expect.stringContaining('# terraform_data.a will be created'), leftOut: 0, isShortened: false },
      },
      planFile: options.planFile,
      envValues: {},
    });
    expect(logged()).toContain('\x1b[32m+\x1b[0m');
  });

  test('exit code 0 is a plan without changes', async () => {
    await using folder = await testdir({ 'tree/main.tf': LOCAL });
    const { options } = aJob(folder.path, terraform, { root: aRoot({ steps: stepsWithLocalState(folder.path) }) });

    const result = await planRoot(options);

    expect(result).toMatchObject({ kind: 'planned', hasChanges: false, summary: { create: 0, resources: [] } });
    expect(result).not.toHaveProperty('texts');
  });

  test('what writes to its file afterwards does not change it', async () => {
    await using folder = await testdir({ 'tree/main.tf': LOCAL });
    const { options } = aJob(folder.path, terraform, { root: aRoot({ steps: stepsWithLocalState(folder.path) }) });
    await using before = await open(options.planFile, 'a');

    const planned = await planRoot(options);
    await before.write('more');

    expect(planned).toMatchObject({ kind: 'planned', digest: await digestOf(options.planFile) });
  });

  test('an error of Terraform is told by its lines', async () => {
    await using folder = await testdir({
      'tree/main.tf': `${LOCAL}resource "terraform_data" "a" { input = var.missing }`,
    });
    const { options } = aJob(folder.path, terraform, { root: aRoot({ steps: stepsWithLocalState(folder.path) }) });

    const result = await planRoot(options);

    expect(result).toMatchObject({
      kind: 'failed',
      failure: {
        summary: 'Error: Reference to undeclared input variable',
        lines: expect.arrayContaining([expect.stringContaining('main.tf line')]),
      },
    });
  });

  test('var files, extra arguments, the workspace and values of env steps reach it', async () => {
    await using folder = await testdir({
      'tree/root/main.tf': `${LOCAL}variable "a" {}\nvariable "b" {}\nvariable "c" {}\nresource "terraform_data" "x" {\n  for_each = toset([var.a, var.b, var.c, terraform.workspace])\n}`,
      'tree/root/prod.tfvars': 'a = "from a file"',
    });
    const [init] = stepsWithLocalState(folder.path).plan;
    const steps: Root['steps']['plan'] = [
      { kind: 'env', name: 'TF_VAR_c', run: 'echo from $PROJECT_NAME' },
      init ?? { kind: 'init', extraArgs: [] },
      { kind: 'plan', extraArgs: ['-var', 'b=from an argument'] },
    ];
    const root = aRoot({
      dir: 'root',
      workspace: 'stage',
      varFiles: ['prod.tfvars'],
      steps: { plan: steps, apply: [] },
    });
    const { options } = aJob(folder.path, terraform, { root, missingWorkspace: 'make' });

    const result = await planRoot(options);

    expect(result.kind === 'planned' && result.summary.resources.map(({ address }) => address)).toEqual([
      'terraform_data.x["from a file"]',
      'terraform_data.x["from an argument"]',
      'terraform_data.x["from network"]',
      'terraform_data.x["stage"]',
    ]);
    expect(result).toMatchObject({ envValues: { TF_VAR_c: 'from network' } });
  });

  test('what holds values in the clear is gone when the plan is read', async () => {
    await using folder = await testdir({
      'tree/main.tf': `${LOCAL}resource "terraform_data" "a" { input = "secret" }`,
    });
    const { options } = aJob(folder.path, terraform, { root: aRoot({ steps: stepsWithLocalState(folder.path) }) });

    await planRoot(options);

    expect(await readdir(options.folder)).not.toContain('plan.json');
    expect((await stat(options.folder)).mode & 0o777).toBe(0o700);
  });
});

describe('steps', () => {
  test('run in their order, and are told before they begin', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const told: string[] = [];
    const { options, logged } = aJob(folder.path, fixture('terraform-shows-nonsense'), {
      root: withPlanSteps([run('echo one'), run('echo two'), { kind: 'plan', extraArgs: [] }]),
      onStep: (step) => told.push(step),
    });

    await planRoot(options);

    expect(told).toEqual(['run', 'run', 'plan', 'read']);
    expect(logged()).toBe('one\ntwo\n');
  });

  test('of the kind run know repository, root and plan file by the names of Atlantis', async () => {
    await using folder = await testdir({ 'tree/infra/a': '' });
    const names = ['BASE_REPO_OWNER', 'BASE_REPO_NAME', 'DIR', 'PROJECT_NAME', 'REPO_REL_DIR', 'WORKSPACE', 'PLANFILE'];
    const root = withPlanSteps([run(names.map((name) => `echo "$${name}"`).join('; '))], { dir: 'infra' });
    const { options, logged } = aJob(folder.path, 'terraform', { root });

    await planRoot(options);

    expect(logged().trim().split('\n')).toEqual([
      'acme',
      'infra',
      `${folder.path}/tree/infra`,
      'network',
      'infra',
      'default',
      options.planFile,
    ]);
  });

  test('that fail end the job, with what they said', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = aJob(folder.path, 'terraform', {
      root: withPlanSteps([run('echo no luck; exit 9'), run('echo never')]),
    });

    expect(await planRoot(options)).toEqual({
      kind: 'failed',
      failure: { summary: 'run ended with exit code 9', lines: ['no luck'] },
    });
  });

  test('without a plan among them are refused', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = aJob(folder.path, 'terraform', { root: withPlanSteps([run('true')]) });

    expect(await planRoot(options)).toMatchObject({ failure: { summary: expect.stringContaining('found none') } });
  });

  test('with an apply among them are refused before it runs', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options, logged } = aJob(folder.path, fixture('terraform-hangs'), {
      root: withPlanSteps([{ kind: 'apply', extraArgs: [] }]),
    });

    expect(await planRoot(options)).toMatchObject({
      failure: { summary: expect.stringContaining('expected no apply') },
    });
    expect(logged()).toBe('');
  });
});

describe('the value of an env step', () => {
  test('is told before anything that could show it is logged', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const events: string[] = [];
    const { options } = aJob(folder.path, 'terraform', {
      root: withPlanSteps([
        { kind: 'env', name: 'TOKEN', run: 'echo made-here; echo tracing >&2' },
        run('echo $TOKEN'),
      ]),
      onEnvValue: (name, value) => events.push(`${name} is ${value}`),
      log: (chunk) => {
        events.push(`logged ${Buffer.from(chunk).toString().trim()}`);
      },
    });

    await planRoot(options);

    expect(events).toEqual(['TOKEN is made-here', 'logged tracing', 'logged made-here']);
  });

  test('is hidden where a failure repeats what was said', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = aJob(folder.path, 'terraform', {
      root: withPlanSteps([run('echo "Error: no made-here"; exit 1')]),
      hide: (output) => Buffer.from(Buffer.from(output).toString().replaceAll('made-here', '***')),
    });

    expect(await planRoot(options)).toMatchObject({ failure: { lines: ['Error: no ***'] } });
  });
});

test('a plan is told with its digest and the values of its steps before it was shown', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const made: MadePlanFile[] = [];
  const onPlanMade = (plan: MadePlanFile) => {
    made.push(plan);
    writeFileSync(path.join(folder.path, 'tree', 'told'), '');
  };
  const plan: readonly Step[] = [
    { kind: 'env', name: 'REGION', value: 'north' },
    { kind: 'plan', extraArgs: [] },
  ];
  const { options } = aJob(folder.path, fixture('terraform-shows-when-told'), {
    root: aRoot({ steps: { plan, apply: [] } }),
    onPlanMade,
  });

  const planned = await planRoot(options);

  expect(planned).toMatchObject({ kind: 'planned', digest: made[0]?.digest });
  expect(made).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), envValues: { REGION: 'north' } }]);
});

test('a plan that cannot be shown is a failed plan', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = aJob(folder.path, fixture('terraform-shows-nonsense'));

  expect(await planRoot(options)).toMatchObject({
    kind: 'failed',
    failure: {
      summary: expect.stringMatching(/^the summary of the plan cannot be read: expected Terraform's JSON plan/),
    },
  });
});

test('a Terraform before 1.1 shows a plan in the process that was started, whose output nobody else has', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = aJob(folder.path, fixture('terraform-starts-itself-again'));

  expect(await planRoot(options)).toMatchObject({ kind: 'planned', hasChanges: false });
});

test.each([
  ['a resource', 'resource "terraform_data" "a" {}'],
  ['an output', 'output "a" { value = 1 }'],
])('a plan that changes %s has failed when its exit code denies that', async (_what, main) => {
  await using folder = await testdir({ 'tree/main.tf': `${LOCAL}${main}\n` });
  const root = aRoot({ steps: stepsWithLocalState(folder.path) });
  const { options } = aJob(folder.path, fixture('terraform-forges-exit-code'), { root });

  const summary = 'expected a plan without changes, as its exit code says, found one with changes';
  expect(await planRoot(options)).toMatchObject({ kind: 'failed', failure: { summary } });
});

test('100 MB of plan are logged in chunks and change nothing', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  let bytes = 0;
  let largest = 0;
  const log = ({ length }: Uint8Array) => {
    bytes += length;
    largest = Math.max(largest, length);
  };
  const { options } = aJob(folder.path, fixture('terraform-prints-100mb'), { log });

  expect(await planRoot(options)).toMatchObject({ kind: 'planned', hasChanges: false });
  expect(bytes).toBe(104_857_600);
  expect(largest).toBeLessThanOrEqual(64 * 1024);
});

test('output that is not UTF-8 reaches the log as it is and the failure as valid text', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = aJob(folder.path, fixture('terraform-prints-non-utf8'));

  expect(await planRoot(options)).toEqual({
    kind: 'failed',
    failure: { summary: 'Error: caf\ufffd </script> ```', lines: ['Error: caf\ufffd </script> ```', 'reversed'] },
  });
});

test('a Terraform that is killed is a failed plan', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = aJob(folder.path, fixture('terraform-crashes'));

  expect(await planRoot(options)).toMatchObject({
    kind: 'failed',
    failure: { summary: 'plan was killed by SIGKILL' },
  });
});

test('a binary that cannot be started is the fault of the host', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = aJob(folder.path, '/no/such/terraform');

  await expect(planRoot(options)).rejects.toMatchObject({ code: 'STEP_NOT_STARTED' });
});

test('a log that fails is the fault of the host', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const cause = new Error('disk full');
  const { options } = aJob(folder.path, 'terraform', {
    root: withPlanSteps([run('echo hi')]),
    log: () => Promise.reject(cause),
  });

  await expect(planRoot(options)).rejects.toMatchObject({ code: 'LOG_FAILED', cause });
});

describe('stopping', () => {
  test('a plan says why, and how far it had to go', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const controller = new AbortController();
    const { options, waitForLog } = aJob(folder.path, fixture('terraform-hangs'), { signal: controller.signal });

    const planned = planRoot(options);
    await waitForLog('started');
    controller.abort(new StopRequest('host-shutting-down'));

    expect(await planned).toEqual({
      kind: 'stopped',
      cause: 'host-shutting-down',
      stoppedBy: 'sigint',
      failure: {
        summary: 'Plan was stopped because its host was shutting down; Terraform ended by itself and wrote its state',
        lines: ['started', 'Interrupt received.'],
      },
    });
  });

  test('happens when the time of the job is over', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const root = aRoot({ timeoutMs: { plan: 15_000, apply: 3_600_000 } });
    const patience = HURRIED_PATIENCE;
    const { options } = aJob(folder.path, fixture('terraform-ignores-sigint'), { root, patience });

    expect(await planRoot(options)).toMatchObject({ kind: 'stopped', cause: 'timed-out', stoppedBy: 'sigkill' });
  });

  test('while its plan is read ends that as well', async () => {
    await using folder = await testdir({ 'tree/main.tf': `${LOCAL}resource "terraform_data" "a" {}\n` });
    const controller = new AbortController();
    const hideInStream = () => {
      controller.abort(new StopRequest('host-shutting-down'));
      return { push: (output: Uint8Array) => output, rest: () => new Uint8Array() };
    };
    const root = aRoot({ steps: stepsWithLocalState(folder.path) });
    const { options } = aJob(folder.path, terraform, { root, signal: controller.signal, hideInStream });

    expect(await planRoot(options)).toMatchObject({ kind: 'stopped', cause: 'host-shutting-down' });
  });

  test('before a step means that the step never runs', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options, logged } = aJob(folder.path, fixture('terraform-hangs'), { signal: AbortSignal.abort() });

    expect(await planRoot(options)).toMatchObject({ kind: 'stopped', cause: 'cancelled', stoppedBy: 'before-start' });
    expect(logged()).toBe('');
  });
});

const run = (text: string): Step => ({ kind: 'run', run: text });

function withPlanSteps(plan: readonly Step[], changes: Partial<Root> = {}): Root {
  return aRoot({ ...changes, steps: { plan, apply: [] } });
}
