import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Root, Step } from '@nereid/domain/root';
import {
  HURRIED_PATIENCE,
  aJob,
  aRoot,
  fixture,
  realTerraform,
  stepsWithLocalState,
  testdir,
} from '../../fixtures/fixture.ts';
import { createApplyMarker } from './apply-marker.ts';
import { applyRoot, type ApplyOptions } from './apply-root.ts';
import { digestOf } from '../plan/digest.ts';
import { followApply } from './follow-apply.ts';
import type { JobOptions } from '../job/job-options.ts';
import { planRoot } from '../plan/plan-root.ts';

const MAIN = 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" { input = "new" }\n';
const FAILING = 'resource "terraform_data" "b" {\n  provisioner "local-exec" { command = "exit 3" }\n}\n';
const terraform = await realTerraform();

describe('with real Terraform', () => {
  test('exactly the plan that was approved is applied', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const options = await plannedJob(folder.path);
    await writeFile(path.join(folder.path, 'tree/main.tf'), `${MAIN}resource "terraform_data" "later" {}\n`);

    const result = await applyRoot(options);

    expect(result).toEqual({ kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } });
  });

  test('whatever becomes of its file meanwhile', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const options = await plannedJob(folder.path);

    const result = await applyRoot({ ...options, root: applyingAfter(options, `echo other > ${options.planFile}`) });

    expect(result).toMatchObject({ kind: 'applied', counts: { added: 1 } });
  });

  test('a plan whose state changed since is unusable, and nothing is applied', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const options = await plannedJob(folder.path);
    await applyRoot({ ...options, folder: path.join(folder.path, 'first') });

    const result = await applyRoot({ ...options, folder: path.join(folder.path, 'second') });

    expect(result).toEqual({ kind: 'plan-unusable', why: 'the state changed since the plan was made' });
  });

  test('an apply that is asked to stop while its state is looked at has not begun', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const stop = new AbortController();
    let hasBegun = false;
    const applying = applyRoot({
      ...(await plannedJob(folder.path)),
      signal: stop.signal,
      onStep: (step) => {
        if (step === 'state pull') stop.abort(new Error('cancelled'));
      },
      onBegin: async () => {
        hasBegun = true;
        await Promise.resolve();
      },
    });

    await expect(applying).rejects.toMatchObject({ code: 'APPLY_NOT_BEGUN' });
    expect(hasBegun).toBe(false);
  });

  test('a plan of a state that is gone is unusable', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const first = await plannedJob(folder.path);
    await applyRoot(first);
    await writeFile(path.join(folder.path, 'tree/main.tf'), MAIN.replace('new', 'newer'));
    const options = await plannedJob(folder.path, 'second');
    await rm(path.join(folder.path, 'terraform.tfstate'));

    expect(await applyRoot(options)).toMatchObject({ kind: 'plan-unusable' });
  });

  test('a state that changed after the apply began fails it, and the words of Terraform say why', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const first = await plannedJob(folder.path);
    await applyRoot(first);
    await writeFile(path.join(folder.path, 'tree/main.tf'), MAIN.replace('new', 'newer'));
    const options = await plannedJob(folder.path, 'second');
    const change = 'terraform taint terraform_data.a';

    const result = await applyRoot({ ...options, root: applyingAfter(options, change) });

    expect(result).toMatchObject({ kind: 'failed', failure: { summary: 'Error: Saved plan is stale' } });
  });

  test('code of the root that prints the words of a stale plan has been applied all the same', async () => {
    const lie = String.raw`printf '\n╷\n│ Error: Saved plan is stale\n│ \n╵\n' >> /proc/$PPID/fd/1; exit 1`;
    const provisioner = `provisioner "local-exec" {\n    command = <<-EOT\n      ${lie}\n    EOT\n  }\n`;
    await using folder = await testdir({
      'tree/main.tf': `${MAIN}resource "terraform_data" "b" {\n  ${provisioner}}\n`,
    });
    const options = await plannedJob(folder.path);

    const applied = await applyRoot(options);

    expect(applied.kind).toBe('failed');
    expect(await followApply(options)).toEqual(applied);
  });

  test('another tree is initialised first', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN, 'other/main.tf': MAIN });
    const options = await plannedJob(folder.path);

    const result = await applyRoot({
      ...options,
      treeDir: path.join(folder.path, 'other'),
      initFirst: { restore: () => Promise.resolve() },
    });

    expect(result).toMatchObject({ kind: 'applied' });
  });

  test('an error of Terraform is told by its lines', async () => {
    const broken = `${MAIN}resource "terraform_data" "b" {\n  provisioner "local-exec" { command = "exit 3" }\n}\n`;
    await using folder = await testdir({ 'tree/main.tf': broken });

    const result = await applyRoot(await plannedJob(folder.path));

    expect(result).toMatchObject({ kind: 'failed', failure: { summary: 'Error: local-exec provisioner error' } });
  });
});

describe('a plan is unusable', () => {
  test('when its digest is another one', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-hangs');

    const result = await applyRoot({ ...options, digest: '0'.repeat(64) });

    expect(result).toMatchObject({
      kind: 'plan-unusable',
      why: expect.stringMatching(/^expected the plan 000000000000, found/),
    });
  });

  test('when it was changed before Terraform reads it', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-hangs');

    const result = await applyRoot({ ...options, root: applyingAfter(options, 'echo other > "$PLANFILE"') });

    expect(result).toMatchObject({ kind: 'plan-unusable', why: expect.stringContaining('found another one') });
  });

  test('when it is not there', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-hangs');

    const result = await applyRoot({ ...options, planFile: path.join(folder.path, 'gone') });

    expect(result).toEqual({ kind: 'plan-unusable', why: 'the plan file is not where it was kept' });
  });
});

describe('an apply starts once', () => {
  test('so a second one in the same folder is refused', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-crashes');
    await applyRoot(options);

    await expect(applyRoot(options)).rejects.toMatchObject({ code: 'APPLY_ALREADY_STARTED' });
  });

  test('so one that was looked for and not found can no longer start', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-hangs');

    const followed = await followApply(options);

    expect(followed).toEqual({ kind: 'not-begun' });
    await expect(applyRoot(options)).rejects.toMatchObject({ code: 'APPLY_ALREADY_STARTED' });
  });

  test('so of two that make the marker at the same time one succeeds', async () => {
    await using folder = await testdir();

    const created = await Promise.all([createApplyMarker(folder.path), createApplyMarker(folder.path)]);

    expect(created.sort()).toEqual([false, true]);
  });
});

describe('an apply that could not begin may begin later', () => {
  test('after an init that failed', async () => {
    await using folder = await testdir({ 'tree/main.tf': MAIN, 'other/main.tf': 'nonsense' });
    const planned = await plannedJob(folder.path);
    const options = {
      ...planned,
      treeDir: path.join(folder.path, 'other'),
      initFirst: { restore: () => Promise.resolve() },
    };

    await expect(applyRoot(options)).rejects.toMatchObject({ code: 'APPLY_NOT_BEGUN' });
    await writeFile(path.join(folder.path, 'other/main.tf'), MAIN);

    expect(await applyRoot(options)).toMatchObject({ kind: 'applied' });
  });

  test('after an init that was stopped', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-hangs', { root: hurried(200) });

    await expect(applyRoot({ ...options, initFirst: { restore: () => Promise.resolve() } })).rejects.toMatchObject({
      code: 'APPLY_NOT_BEGUN',
    });
  });

  test('after its first step could not be started', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-crashes');

    const absent = applyRoot({ ...options, binary: fixture('no-terraform') });
    await expect(absent).rejects.toMatchObject({ code: 'APPLY_NOT_BEGUN' });

    expect(await applyRoot(options)).toMatchObject({ kind: 'unknown' });
  });

  test('after its plan could not be read', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const { options } = await anApply(folder.path, 'terraform-crashes');

    const unreadable = applyRoot({ ...options, planFile: folder.path });

    await expect(unreadable).rejects.toMatchObject({ code: 'APPLY_NOT_BEGUN' });
  });

  test('but not after one of its steps ran', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const steps: readonly Step[] = [
      { kind: 'run', run: 'true' },
      { kind: 'apply', extraArgs: [] },
    ];
    const { options } = await anApply(folder.path, 'no-terraform', {
      root: aRoot({ steps: { plan: [], apply: steps } }),
    });

    await expect(applyRoot(options)).rejects.toMatchObject({ code: 'STEP_NOT_STARTED' });
    await expect(applyRoot(options)).rejects.toMatchObject({ code: 'APPLY_ALREADY_STARTED' });
  });
});

test('an apply that ran is followed to the same outcome and the same output', async () => {
  await using folder = await testdir({ 'tree/main.tf': MAIN });
  const options = await plannedJob(folder.path);
  const first = aJob(folder.path, terraform);
  const second = aJob(folder.path, terraform);

  const applied = await applyRoot({ ...options, log: first.options.log });
  const followed = await followApply({ ...options, log: second.options.log });

  expect(followed).toEqual(applied);
  expect(second.logged()).toBe(first.logged());
});

test('one that failed by itself is not told as stopped, however late it is followed', async () => {
  await using folder = await testdir({ 'tree/main.tf': `${MAIN}${FAILING}` });
  const options = await plannedJob(folder.path);

  const applied = await applyRoot(options);
  const followed = await followApply({ ...options, root: { ...options.root, timeoutMs: hurried(0).timeoutMs } });

  expect(applied.kind).toBe('failed');
  expect(followed).toEqual(applied);
});

describe('stopping', () => {
  test('an apply that ends by itself after one interrupt has failed', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const controller = new AbortController();
    const { options, waitForLog } = await anApply(folder.path, 'terraform-hangs', { signal: controller.signal });

    const applied = applyRoot(options);
    await waitForLog('started');
    controller.abort();

    expect(await applied).toMatchObject({ kind: 'failed', stopped: 'cancelled' });
  });

  test('an apply that had to be killed has an unknown outcome', async () => {
    await using folder = await testdir({ 'tree/a': '' });
    const controller = new AbortController();
    const { options, waitForLog } = await anApply(folder.path, 'terraform-ignores-sigint', {
      patience: HURRIED_PATIENCE,
      signal: controller.signal,
    });

    const applied = applyRoot(options);
    await waitForLog('started');
    controller.abort();

    expect(await applied).toEqual({
      kind: 'unknown',
      why: 'Apply was stopped because the deployment was cancelled; it did not end when it was interrupted, and was killed',
    });
  });
});

test('an apply that was killed by somebody else has an unknown outcome', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const { options } = await anApply(folder.path, 'terraform-crashes');

  expect(await applyRoot(options)).toEqual({ kind: 'unknown', why: 'apply was killed by SIGKILL' });
});

describe('a step beside the apply that fails', () => {
  const apply: Step = { kind: 'apply', extraArgs: [] };
  const fails: Step = { kind: 'run', run: 'exit 3' };

  test.each([
    ['before', [fails, apply], 'Nothing was applied: run ended with exit code 3'],
    ['after', [apply, fails], 'Terraform applied the plan, but then: run ended with exit code 3'],
  ] as const)('%s it says whether the plan was applied', async (_, steps, summary) => {
    await using folder = await testdir({ 'tree/main.tf': MAIN });
    const options = await plannedJob(folder.path);
    const root = { ...options.root, steps: { ...options.root.steps, apply: steps } };

    expect(await applyRoot({ ...options, root })).toMatchObject({ kind: 'failed', failure: { summary } });
  });
});

test('values of env steps are those of the plan, not evaluated again', async () => {
  await using folder = await testdir({ 'tree/a': '' });
  const steps: readonly Step[] = [
    { kind: 'env', name: 'KEPT', run: 'echo again' },
    { kind: 'run', run: 'echo "$KEPT"' },
    { kind: 'apply', extraArgs: [] },
  ];
  const root = aRoot({ steps: { plan: [], apply: steps } });
  const told: string[] = [];
  const onEnvValue = (name: string, value: string) => told.push(`${name} is ${value}, log is "${logged()}"`);
  const { options, logged } = await anApply(folder.path, 'terraform-crashes', { root, onEnvValue });

  await applyRoot({ ...options, envValues: { KEPT: 'once' } });

  expect(logged()).toMatch(/^once\n/);
  expect(told).toEqual(['KEPT is once, log is ""']);
});

/** The root of the job, with a step before its apply. */
function applyingAfter({ root }: ApplyOptions, run: string): Root {
  const apply: readonly Step[] = [{ kind: 'run', run }, ...root.steps.apply];
  return { ...root, steps: { ...root.steps, apply } };
}

/** A root whose applies have that long. */
function hurried(applyMs: number): Root {
  return aRoot({ timeoutMs: { plan: 3_600_000, apply: applyMs } });
}

/** A job of real Terraform whose plan is made. */
async function plannedJob(folder: string, job = 'job'): Promise<ApplyOptions> {
  const root = aRoot({ steps: stepsWithLocalState(folder) });
  const { options } = aJob(folder, terraform, { root, folder: path.join(folder, job) });
  const planned = await planRoot(options);
  if (planned.kind !== 'planned') throw new Error(planned.failure.summary);
  return {
    ...options,
    folder: path.join(folder, `${job}-apply`),
    digest: planned.digest,
    envValues: planned.envValues,
  };
}

/** A job of one of the fixtures, with some plan. */
async function anApply(folder: string, name: string, changes: Partial<JobOptions> = {}) {
  const job = aJob(folder, fixture(name), changes);
  await writeFile(job.options.planFile, 'a plan');
  return { ...job, options: { ...job.options, digest: await digestOf(job.options.planFile), envValues: {} } };
}
