/** What was signed for a deployment is sent to its host once more: by Temporal, which lost a worker, or by somebody else. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { jobIdOf } from '@nereid/domain/host';
import type { Root, Step } from '@nereid/domain/root';
import { ActivityCancellationDetails } from '@temporalio/common';
import { anActivity } from './testing/an-activity.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf, nextJob } from './testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };
const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const APPLIED = { kind: 'applied', counts: COUNTS, proof: expect.objectContaining({ signature: expect.any(String) }) };

const hosts = hostsOfEachTest();

/** Says `held`, and goes on after `letGo`. */
function held(): Step {
  const go = fileOf('go');
  return { kind: 'run', run: `echo held; until [ -e ${go} ] || [ ! -d ${hosts.stateDir} ]; do sleep 0.01; done` };
}

function letGo(): Promise<void> {
  return writeFile(fileOf('go'), '');
}

/** Writes a line for each apply. */
function counted(): Step {
  return { kind: 'run', run: `echo applied >> ${fileOf('ledger')}` };
}

async function expectAppliedOnce(): Promise<void> {
  expect(await readFile(fileOf('ledger'), 'utf8')).toBe('applied\n');
}

function fileOf(name: string): string {
  return join(hosts.stateDir, name);
}

describe('a plan', () => {
  test('that comes during the apply waits for its end, and is not made', async () => {
    const job = await hosts.deploy(FILES, { apply: [held()] });
    const { plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));

    const applied = apply(made);
    await hosts.logHas(made, 'held');
    const again = plan(job);
    await letGo();

    expect(await applied).toEqual(APPLIED);
    expect(await again).toEqual({ kind: 'apply-begun', outcome: APPLIED });
  });

  test('that comes after the apply began on another host is not made either', async () => {
    const job = await hosts.deploy(FILES);
    await hosts.begunApplies.begin(job.deploymentId, { hostId: 'h9', jobId: 'another-job' });

    const outcome = await hosts.openHost().plan(job);

    const why = expect.stringContaining('began on host h9 in job another-job, and nobody knows how it ended');
    expect(outcome).toEqual({ kind: 'apply-begun', outcome: { kind: 'unknown', why } });
    expect(await hosts.deployments()).toEqual([]);
  });

  test('is made after the one that Temporal has given up, in the same process', async () => {
    const job = await hosts.deploy(FILES, { plan: [held()] });
    const { plan } = hosts.openHost();
    const activity = anActivity();

    const lost = plan(job, activity);
    await hosts.logHas(job, 'held');
    const again = plan(nextJob(job));
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await lost;
    await letGo();

    expect(await again).toMatchObject({ kind: 'planned' });
  });

  test('stops what a lost worker left running of the one before', async () => {
    const job = await hosts.deploy(FILES, { plan: [held()] });
    const activity = anActivity();
    const notFound = new ActivityCancellationDetails({ notFound: true });
    // It does not hear of it before its plan has ended.
    Object.defineProperty(activity.context, 'cancellationDetails', { value: notFound });
    const lost = hosts.openHost().plan(job, activity);
    await hosts.logHas(job, 'held');

    const again = hosts.openHost().plan(nextJob(job));

    expect(await lost).toMatchObject({ kind: 'failed' });
    await letGo();
    expect(await again).toMatchObject({ kind: 'planned' });
  });
});

describe('an apply', () => {
  test('that comes during itself is declined, and goes on', async () => {
    const job = await hosts.deploy(FILES, { apply: [held(), counted()] });
    const { plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));

    const applied = apply(made);
    await hosts.logHas(made, 'held');
    await expect(apply(nextJob(made))).rejects.toMatchObject({ type: 'HOST_DECLINED' });
    await letGo();

    expect(await applied).toEqual(APPLIED);
    await expectAppliedOnce();
  });

  test('that has ended is told as it ended, in the same job and in another one', async () => {
    const job = await hosts.deploy(FILES, { apply: [counted()] });
    const { host, plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    await apply(made);
    await host.settled();

    expect(await apply(made)).toEqual(APPLIED);
    expect(await apply(nextJob(made))).toEqual(APPLIED);

    await expectAppliedOnce();
    expect(await hosts.begunApplies.read(made.deploymentId)).toMatchObject({ jobId: made.jobId, outcome: APPLIED });
  });

  test('whose files were cleaned up behind its back does not begin again', async () => {
    const job = await hosts.deploy(FILES, { apply: [counted()] });
    const { host, plan, apply, inspect } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await apply(made, activity);
    await host.hostActivities.cleanUpHost(made.deploymentId);
    await hosts.loseOutcomes();

    expect(await inspect(made)).toMatchObject({ kind: 'unknown' });
    expect(await apply(made)).toEqual(APPLIED);

    await expectAppliedOnce();
    expect(await hosts.begunApplies.read(made.deploymentId)).toMatchObject({ outcome: APPLIED });
  });
});

describe('the plan of a preview, while the deployment of its merge is applied in its folder,', () => {
  test('waits for the end of the apply, which keeps its tree', async () => {
    const { preview, made } = await aMerge({ apply: [held(), counted()] });
    const { plan, apply } = hosts.openHost();

    const applied = apply(made);
    await hosts.logHas(made, 'held');
    const again = plan(preview).then(({ kind }) => kind, String);
    await letGo();

    expect(await applied).toEqual(APPLIED);
    await expectAppliedOnce();
    // It may still find the folder in use, before that is cleaned up.
    expect(await again).toMatch(/^planned$|expected the folder of deployment .* to be free/);
  });

  test('is not made by another worker with the same disk either', async () => {
    const { preview, made } = await aMerge({ apply: [held(), counted()] });

    const applied = hosts.openHost().apply(made);
    await hosts.logHas(made, 'held');
    await expect(hosts.openHost().plan(preview)).rejects.toMatchObject({
      type: 'TREE_IN_USE',
      details: [{ isFinal: false }],
    });
    await letGo();

    expect(await applied).toEqual(APPLIED);
  });

  test('is not interrupted when it came first: the apply is declined', async () => {
    const { preview, made } = await aMerge({ plan: [held()] });
    const { plan, apply } = hosts.openHost();
    const again = nextJob(preview);

    const planned = plan(again);
    await hosts.logHas(again, 'held');
    await expect(apply(made)).rejects.toMatchObject({ type: 'HOST_DECLINED' });
    await letGo();

    expect(await planned).toMatchObject({ kind: 'planned' });
  });

  test('keeps its folder from another deployment of that plan as well, after the worker was lost', async () => {
    const { made, another } = await aMerge({ apply: [held(), counted()] });

    const applied = hosts.openHost().apply(made);
    await hosts.logHas(made, 'held');
    await expect(hosts.openHost().apply(another)).rejects.toMatchObject({ type: 'HOST_DECLINED' });
    await letGo();

    expect(await applied).toEqual(APPLIED);
    await expectAppliedOnce();
  });
});

/** The apply of the reviewed plan of a preview by the deployment of its merge, and by another one of the same merge. */
async function aMerge(stepsBefore: Partial<Root['steps']>) {
  await letGo();
  const head = { 'README.md': 'a change' };
  const preview = await hosts.preview({ base: FILES, head, isForMerge: true, stepsBefore });
  const { plan: planOn, host } = hosts.openHost();
  const plan = await planOn(preview);
  await host.settled();
  await rm(fileOf('go'));
  const merge = async () => applyOf(await hosts.merge({ head, preview, plan }), plan);
  return { preview, made: await merge(), another: await merge() };
}

test('a job that is refused gives back the slot of its claim at once', async () => {
  const job = await hosts.deploy(FILES);
  const { host, apply } = hosts.openHost();
  host.slots.claim(job.deploymentId);

  const body = { ...job.order.body, requestedBy: 'mallory' };
  const forged = { ...job, jobId: jobIdOf(job.deploymentId, 'apply', 1), order: { ...job.order, body } };
  await expect(apply({ ...forged, digest: 'a1'.repeat(32) })).rejects.toMatchObject({ type: 'FORGED' });

  expect(host.slots.usage().used).toBe(0);
});
