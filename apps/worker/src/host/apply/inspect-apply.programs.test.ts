import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ActivityCancellationDetails } from '@temporalio/common';
import { anActivity } from '../testing/an-activity.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';
import { applyOf } from '../testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const APPLIED = { kind: 'applied', counts: COUNTS, proof: expect.objectContaining({ signature: expect.any(String) }) };

const hosts = hostsOfEachTest();

/** Whose apply says `begun`, takes a while and then does something more. */
function slowly(seconds: number) {
  const command = `echo begun; sleep ${seconds}; echo at its end`;
  return {
    'main.tf': `${LOCAL}resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "${command}" }\n}\n`,
  };
}

describe('an apply whose worker was lost', () => {
  test('is followed to its end by the next worker on that disk, which has its outcome and all of its output', async () => {
    const job = await hosts.deploy(slowly(1));
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    const lost = first.apply(made);
    await hosts.logHas(made, 'begun');

    const outcome = await hosts.openHost().inspect(made);

    expect(outcome).toEqual(APPLIED);
    expect(await hosts.state()).toContain('terraform_data');
    await lost;
  });

  test('is told once it has ended, too', async () => {
    const job = await hosts.deploy(slowly(0));
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    // A plan that cannot be used keeps its folder: nothing is cleaned up behind this apply either.
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await first.apply(made, activity);
    await hosts.loseOutcomes();

    const outcome = await hosts.openHost().inspect(made);

    expect(outcome).toEqual(APPLIED);
    expect(await hosts.readLog(made)).toMatch(/at its end[^]*the worker was lost[^]*at its end/);
  });

  test('that never began can no longer begin', async () => {
    const job = await hosts.deploy(slowly(0));
    const { plan, apply, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));

    expect(await inspect(made)).toEqual({ kind: 'not-begun' });
    await expect(apply(made)).rejects.toMatchObject({ type: 'APPLY_ALREADY_STARTED' });
    expect(await hosts.state()).toBeUndefined();
  });

  test('of which the disk has nothing left has an unknown outcome', async () => {
    const job = await hosts.deploy(slowly(0));
    const { plan, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    await rm(dirname(hosts.treeOf(job)), { recursive: true });

    expect(await inspect(made)).toMatchObject({
      kind: 'unknown',
      why: expect.stringContaining('no longer has anything of this'),
    });
  });

  test('after it had ended and its deployment was cleaned up is told by the next worker: its answer may have been lost', async () => {
    const job = await hosts.deploy(slowly(0));
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    await first.apply(made);
    await first.host.settled();

    expect(await hosts.deployments()).toEqual([]);
    expect(await hosts.openHost().inspect(made)).toEqual(APPLIED);
  });

  test('is interrupted by a person who cancels', async () => {
    const job = await hosts.deploy(slowly(600));
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    const lost = first.apply(made);
    await hosts.logHas(made, 'begun');
    const activity = anActivity();

    const inspected = hosts.openHost().inspect(made, activity);
    activity.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));

    // The former worker lives on in this test, and knows of no cancellation. Of two outcomes, the one that is kept last counts.
    const why =
      /^(?:Apply was stopped because the deployment was cancelled; Terraform ended by itself|Error: execution)/;
    expect(await inspected).toMatchObject({
      kind: 'failed',
      failure: { body: { summary: expect.stringMatching(why) } },
    });
    await lost;
  });

  test('that makes a secret of its own shows nothing of its output', async () => {
    const env = { kind: 'env', name: 'TF_VAR_x', run: 'echo a-long-secret' } as const;
    const job = await hosts.deploy(slowly(0), { apply: [env] });
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await first.apply(made, activity);
    await hosts.loseOutcomes();

    const outcome = await hosts.openHost().inspect(made);

    expect(outcome).toEqual(APPLIED);
    expect(await hosts.readLog(made)).toMatch(/the output is not shown\]\n$/);
  });

  test('whose secrets cannot be known any more shows nothing of its output', async () => {
    const env = { kind: 'env', name: 'TF_VAR_x', run: 'echo a-long-secret' } as const;
    const job = await hosts.deploy(slowly(0), { plan: [env] });
    const first = hosts.openHost();
    const made = applyOf(job, await first.plan(job));
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await first.apply(made, activity);
    await hosts.loseOutcomes();
    await hosts.losePlan(made);

    const outcome = await hosts.openHost().inspect(made);

    expect(outcome).toEqual(APPLIED);
    expect(await hosts.readLog(made)).toMatch(/the output is not shown\]\n$/);
  });
});

describe('an apply that this worker still runs', () => {
  test('is followed once: who asks for it gets the same outcome', async () => {
    const job = await hosts.deploy(slowly(3));
    const { plan, apply, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    const activity = anActivity();
    const applied = apply(made, activity);
    await hosts.logHas(made, 'begun');
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));

    expect(await inspect(made)).toEqual(APPLIED);
    expect(await applied).toEqual(APPLIED);
    expect(await hosts.readLog(made)).not.toContain('the worker was lost');
  });

  test('that has ended is told, although nothing of it is left on the disk: its answer may have been lost', async () => {
    const job = await hosts.deploy(slowly(0));
    const { host, plan, apply, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    await apply(made);
    await host.settled();

    expect(await hosts.deployments()).toEqual([]);
    expect(await inspect(made)).toEqual(APPLIED);
  });

  test('is stopped by whoever asks for it and is cancelled', async () => {
    const job = await hosts.deploy(slowly(600));
    const { plan, apply, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    const applied = apply(made);
    await hosts.logHas(made, 'begun');
    const activity = anActivity();

    const inspected = inspect(made, activity);
    activity.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));

    expect(await inspected).toMatchObject({ kind: 'failed' });
    await applied;
  });
});
