import { describe, expect, test } from '@jest/globals';
import type { PlanOutcome } from '@nereid/domain/deployment';
import type { TestJob } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

/** Terraform that is applied at another path than it was planned at fails half way here. */
const PATHS = 'resource "terraform_data" "paths" {\n  input = { cwd = path.cwd, here = abspath(path.module) }\n}\n';
const BASE = { 'main.tf': `terraform {\n  backend "local" {}\n}\n${PATHS}` };
const HEAD = { 'head.tf': 'resource "terraform_data" "head" { input = fileexists("made.txt") }\n' };
const CHANGE = { base: BASE, head: HEAD, isForMerge: true };
const APPLIED = { kind: 'applied', counts: { added: 2, changed: 0, destroyed: 0, imported: 0 } };

const hosts = hostsOfEachTest();

/** A preview that was planned, and the deployment of its merge. */
async function aMerge(): Promise<{ preview: TestJob; plan: PlanOutcome; job: TestJob }> {
  const preview = await hosts.preview(CHANGE);
  const { plan: planOn, host } = hosts.openHost();
  const plan = await planOn(preview);
  await host.settled();
  return { preview, plan, job: await hosts.merge({ head: HEAD, preview, plan }) };
}

describe('a preview whose plan may be confirmed for the merge', () => {
  test('leaves its plan in storage, and nothing on the host', async () => {
    const { preview } = await aMerge();

    expect(await hosts.keptPlans()).toEqual([`plans/default/${preview.deploymentId}`]);
    expect(await hosts.deployments()).toEqual([]);
  });

  test('without changes leaves no plan', async () => {
    const preview = await hosts.preview({
      ...CHANGE,
      base: { 'main.tf': 'terraform {\n  backend "local" {}\n}\n' },
      head: { 'README.md': 'x' },
    });
    const { plan, host } = hosts.openHost();

    expect(await plan(preview)).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: false } } });
    await host.settled();
    expect(await hosts.keptPlans()).toEqual([]);
  });
});

describe('the plan of a preview that was reviewed', () => {
  test('is applied by the deployment of the merge at the path where it was made', async () => {
    const { preview, plan, job } = await aMerge();
    const { apply, host } = hosts.openHost();

    const outcome = await apply(applyOf(job, plan));
    await host.settled();

    expect(outcome).toMatchObject(APPLIED);
    expect(await hosts.state()).toContain(`/${preview.deploymentId}/repo`);
    expect(await hosts.keptPlans()).toEqual([]);
    expect(await hosts.deployments()).toEqual([]);
  });

  test('is applied on another machine', async () => {
    const { plan, job } = await aMerge();

    await hosts.goTo('m2');
    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

    expect(outcome).toMatchObject(APPLIED);
  });

  test('is unusable when it is no longer kept', async () => {
    const { preview, plan, job } = await aMerge();
    await hosts.losePlan(preview);

    const outcome = await hosts.openHost().apply(applyOf(job, plan));

    expect(outcome).toMatchObject({ kind: 'plan-unusable', why: expect.stringContaining(preview.deploymentId) });
  });

  test('is unusable when its key is gone', async () => {
    const { plan, job } = await aMerge();
    hosts.changePlanKey();

    expect(await hosts.openHost().apply(applyOf(job, plan))).toMatchObject({ kind: 'plan-unusable' });
  });

  test('is unusable when the state has changed since', async () => {
    const { plan, job } = await aMerge();
    const other = await hosts.deploy({ ...BASE, 'more.tf': 'resource "terraform_data" "more" {}\n' });
    const host = hosts.openHost();
    await host.apply(applyOf(other, await host.plan(other)));

    const outcome = await host.apply(applyOf(job, plan));

    expect(outcome).toEqual({ kind: 'plan-unusable', why: 'the state changed since the plan was made' });
  });

  test('makes way for a plan of the deployment itself, in its own folder', async () => {
    const { preview, plan, job } = await aMerge();
    await hosts.losePlan(preview);
    const host = hosts.openHost();
    await host.apply(applyOf(job, plan));

    const own = await host.plan(job);
    const outcome = await host.apply(applyOf(job, own));
    await host.host.settled();

    expect(outcome).toMatchObject(APPLIED);
    expect(await hosts.state()).toContain(`/${job.deploymentId}/repo`);
    expect(await hosts.deployments()).toEqual([]);
  });
});
