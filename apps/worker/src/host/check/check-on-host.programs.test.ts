import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { orderBody, type WaveChecked, type WaveCheckOrder } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { testSignatures, type TestJob } from '../../testing/test-signatures.ts';
import { anActivity } from '../testing/an-activity.ts';
import type { TestHost } from '../testing/open-test-host.ts';
import { startTestHosts, type TestHosts } from '../testing/test-hosts.ts';

const CONFIG = `terraform {
  backend "local" {}
}
output "url" {
  value = "http://app"
}
`;

let hosts: TestHosts;
let opened: TestHost;

beforeEach(async () => {
  hosts = await startTestHosts();
  opened = hosts.openHost({ environment: { SERVER: 'of applies', PREVIEW_SERVER: 'of previews' } });
});

afterEach(() => hosts.close());

function aRoot(files: Readonly<Record<string, string>> = {}): Promise<TestJob> {
  return hosts.deploy({ 'main.tf': CONFIG, ...files });
}

describe('a check of a wave', () => {
  test('passes when its command does, and the host signs that', async () => {
    const order = await orderFor(await aRoot({ 'smoke.sh': 'test -f main.tf' }), { run: 'sh smoke.sh' });

    const answer = await check(order);

    const about = { pool: DEFAULT_POOL, waveCheckId: order.body.id, order: order.signature };
    const { body } = await testSignatures.open('result/wave-checked', answer, about);
    expect(body.failure).toBeUndefined();
  });

  test('fails when its command does, with the end of what that said', async () => {
    const order = await orderFor(await aRoot(), { run: 'echo begins; echo "no answer" >&2; exit 7' });

    expect(await check(order)).toMatchObject({
      body: { failure: { summary: 'run ended with exit code 7', lines: ['begins', 'no answer'] } },
    });
  });

  test('runs after the steps before the plan, with what a plan has, and finds its Terraform', async () => {
    const run = [
      'test "$SERVER" = "of applies"',
      'test -z "$PREVIEW_SERVER"',
      'test "$("$TERRAFORM" output -json)" = "{}"',
      'test "$PROJECT_NAME" = app || test -n "$PROJECT_NAME"',
    ].join(' && ');

    expect((await check(await orderFor(await aRoot(), { run }))).body.failure).toBeUndefined();
  });

  test('fails where a step before it does, and its command does not run', async () => {
    const order = await orderFor(await aRoot({ 'broken.tf': 'terraform {' }), { run: 'echo ran' });

    const { failure } = (await check(order)).body;
    expect(failure?.lines.join('\n')).not.toContain('ran');
    expect(failure?.summary).toMatch(/^Error: /);
  });

  test('fails when its time is over', async () => {
    const order = await orderFor(await aRoot(), { run: 'sleep 600', timeoutMs: 3_000 });

    expect((await check(order)).body.failure?.summary).toBe(
      'Run was stopped because it ran out of time; it ended at an interrupt',
    );
  });

  test('leaves nothing on the host, and no log', async () => {
    const order = await orderFor(await aRoot(), { run: 'touch left' });
    await check(order);
    await opened.host.settled();

    expect(await hosts.deployments()).toEqual([]);
  });
});

describe('nothing is run', () => {
  test.each<[string, (order: WaveCheckOrder) => Partial<WaveCheckOrder>]>([
    ['for another command than was ordered', ({ checking }) => ({ checking: { ...checking, run: 'echo other' } })],
    ['in another root than was ordered', ({ root }) => ({ root: { ...root, dir: 'other' } })],
  ])('%s', async (_what, change) => {
    const { body, signature } = await orderFor(await aRoot(), {});

    const changed = { body: { ...body, ...change(body) }, signature };
    await expect(check(changed)).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
  });

  test('after the order has expired', async () => {
    const order = await orderFor(await aRoot(), { expiresAt: new Date(Date.now() - 1).toISOString() });

    await expect(check(order)).rejects.toMatchObject({ type: 'ORDER_EXPIRED' });
  });

  test('of a plan or an apply, with such an order', async () => {
    const job = await aRoot();
    const order = await orderFor(job, {});

    await expect(opened.plan({ ...job, order })).rejects.toMatchObject({ type: 'FORGED' });
  });
});

function check(order: Signed<WaveCheckOrder>): Promise<Signed<WaveChecked>> {
  return anActivity().run(() => opened.host.hostActivities.checkOnHost(order));
}

async function orderFor(
  { order: _its, deploymentId: _of, ...job }: TestJob,
  changes: Partial<WaveCheckOrder['checking']>,
): Promise<Signed<WaveCheckOrder>> {
  const [askedAt, expiresAt] = [0, 60_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
  const about = { rollout: `${job.revision.sha}/delivery`, wave: 1, check: 'smoke', timeoutMs: 60_000 };
  const checking = { ...about, run: 'true', askedAt, expiresAt, ...changes };
  const ordered = { ...job, id: randomUUID(), trigger: 'merge' } as const;
  return testSignatures.enclose('order/wave-check', { ...orderBody(job.repository, ordered), checking });
}
