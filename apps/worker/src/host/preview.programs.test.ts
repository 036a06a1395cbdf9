import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { defined } from '@nereid/domain/defined';
import type { Step } from '@nereid/domain/root';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const BASE = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "base" {}\n' };
const HEAD = { 'head.tf': 'resource "terraform_data" "head" {}\n' };
const CHANGE = { base: BASE, head: HEAD };
const printing: readonly Step[] = [{ kind: 'run', run: 'echo "sees [$ACCOUNT_OF_APPLY] [$PREVIEW_READER]"' }];

const hosts = hostsOfEachTest();

describe('a preview', () => {
  test('plans the merged result, and leaves nothing on the host and no plan', async () => {
    const job = await hosts.preview(CHANGE);
    const { plan, host } = hosts.openHost();

    const planned = await plan(job);
    await host.settled();

    expect(planned).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: true, summary: { create: 2 } } } });
    expect(await hosts.keptPlans()).toEqual([]);
    expect(await hosts.deployments()).toEqual([]);
  });

  test('sees the variables of previews, and none of those with which deployments are applied', async () => {
    const environment = { ACCOUNT_OF_APPLY: 'region-one', PREVIEW_READER: 'region-two' };
    const { plan } = hosts.openHost({ environment });
    const preview = await hosts.preview({ ...CHANGE, stepsBefore: { plan: printing } });
    const deployment = await hosts.deploy({ ...BASE, ...HEAD }, { plan: printing });

    await plan(preview);
    await plan(deployment);

    expect(await hosts.readLog(preview)).toContain('sees [] [region-two]');
    expect(await hosts.readLog(deployment)).toContain('sees [region-one] []');
  });

  test('is planned within its time, and not afterwards', async () => {
    const job = await hosts.preview({ ...CHANGE, expiresInMs: -1 });

    await expect(hosts.openHost().plan(job)).rejects.toMatchObject({ type: 'ORDER_EXPIRED', nonRetryable: true });
  });

  test('is no deployment: its order is not one, and cannot be made one', async () => {
    const job = await hosts.preview(CHANGE);
    const body = { ...job.order.body, trigger: 'merge' } as const;
    const asDeployment = { ...job, order: { ...job.order, body } };
    const { plan } = hosts.openHost();

    await expect(plan(asDeployment)).rejects.toMatchObject({ type: 'FORGED' });
  });

  test('of other commits than its order says is not planned', async () => {
    const job = await hosts.preview(CHANGE);
    const other = await hosts.preview({ base: { 'other.tf': '' }, head: HEAD });
    const body = { ...job.order.body, ...defined({ preview: other.preview }) };
    const mixed = { ...job, order: { ...job.order, body } };

    await expect(hosts.openHost().plan(mixed)).rejects.toMatchObject({ type: 'FORGED' });
  });

  test('of ten thousand resources is planned, and its summary names some and counts all', async () => {
    const many = 'resource "terraform_data" "many" {\n  count = 10000\n}\n';
    const job = await hosts.preview({ ...CHANGE, head: { 'head.tf': many } });

    const planned = await hosts.openHost().plan(job);

    expect(planned).toMatchObject({ kind: 'planned', plan: { body: { summary: { create: 10_001, omitted: 9_801 } } } });
    expect(Buffer.byteLength((await hosts.planText(job, planned)) ?? '')).toBeLessThanOrEqual(60_000);
  });

  test('whose JSON has 200 MB fails with a sentence, and takes no such memory', async () => {
    const job = await hosts.preview(CHANGE);
    const { plan } = hosts.openHost({ programs: join(import.meta.dirname, 'fixtures', 'large-plan') });
    const { heapUsed, arrayBuffers } = process.memoryUsage();

    const planned = await plan(job);

    const after = process.memoryUsage();
    expect(planned).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(planned)).toContain('expected at most 64 MiB of JSON, found 200 MiB; split the root');
    expect(after.heapUsed + after.arrayBuffers - heapUsed - arrayBuffers).toBeLessThan(100 * 1024 ** 2);
  });

  test('cannot be applied, whatever leave somebody has', async () => {
    const job = await hosts.preview(CHANGE);
    const { plan, apply } = hosts.openHost();
    const planned = await plan(job);

    await expect(apply(applyOf(job, planned))).rejects.toMatchObject({ type: 'FORGED' });
  });
});

describe('a plan to go back', () => {
  const back = { base: { ...BASE, 'head.tf': null }, head: { ...BASE, ...HEAD }, reverts: { deploymentId: 'd1' } };

  test('is one of the last good revision alone, against the state as it is, and leaves nothing', async () => {
    const { plan, apply, host } = hosts.openHost();
    const deployed = await hosts.deploy({ ...BASE, ...HEAD });
    await apply(applyOf(deployed, await plan(deployed)));
    const state = await hosts.state();
    const job = await hosts.preview(back);

    const planned = await plan(job);
    await host.settled();

    const resources = [{ address: 'terraform_data.head', action: 'delete' }];
    expect(planned).toMatchObject({
      kind: 'planned',
      plan: { body: { summary: { create: 0, delete: 1, resources } } },
    });
    expect(await hosts.state()).toBe(state);
    expect(await hosts.deployments()).not.toContain(job.deploymentId);
  });

  test('sees what plans of deployments see: its revision was applied before', async () => {
    const environment = { ACCOUNT_OF_APPLY: 'region-one', PREVIEW_READER: 'region-two' };
    const { plan } = hosts.openHost({ environment });
    const job = await hosts.preview({ ...back, stepsBefore: { plan: printing } });

    await plan(job);

    expect(await hosts.readLog(job)).toContain('sees [region-one] []');
  });

  test('cannot be applied, whatever leave somebody has', async () => {
    const job = await hosts.preview(back);
    const { plan, apply } = hosts.openHost();
    const planned = await plan(job);

    await expect(apply(applyOf(job, planned))).rejects.toMatchObject({ type: 'FORGED' });
  });
});

describe('a preview of a root that the merge removes', () => {
  const removal = { base: BASE, head: { 'README.md': '' }, isRemoval: true };

  test('names what its state holds on the base, and plans and leaves nothing', async () => {
    const { plan, apply, host } = hosts.openHost();
    const deployed = await hosts.deploy(BASE);
    await apply(applyOf(deployed, await plan(deployed)));
    const state = await hosts.state();
    const job = await hosts.preview(removal);

    const listed = await plan(job);
    await host.settled();

    expect(listed).toMatchObject({
      kind: 'planned',
      plan: {
        body: {
          hasChanges: true,
          summary: { forget: 1, delete: 0, resources: [{ address: 'terraform_data.base', action: 'forget' }] },
        },
      },
    });
    expect(await hosts.readLog(job)).toContain('terraform_data.base');
    expect(await hosts.state()).toBe(state);
    expect(await hosts.deployments()).not.toContain(job.deploymentId);
  });

  test('says when it holds nothing', async () => {
    const job = await hosts.preview(removal);

    expect(await hosts.openHost().plan(job)).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: false } } });
  });

  test('sees the variables of previews, and says why a state cannot be read', async () => {
    const environment = { ACCOUNT_OF_APPLY: 'region-one', PREVIEW_READER: 'region-two' };
    const { plan } = hosts.openHost({ environment });
    const job = await hosts.preview({
      ...removal,
      base: { 'main.tf': 'terraform {\n  backend "nowhere" {}\n}\n' },
      stepsBefore: { plan: printing },
    });

    const failed = await plan(job);

    expect(failed).toMatchObject({
      kind: 'failed',
      failure: { body: { summary: expect.stringContaining('Unsupported backend') } },
    });
    expect(await hosts.readLog(job)).toContain('sees [] [region-two]');
  });
});
