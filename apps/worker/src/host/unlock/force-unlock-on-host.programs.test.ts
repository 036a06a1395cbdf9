import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { orderBody, type ForceUnlocked, type ForceUnlockOrder } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { startStateServer, type StateServer } from '@nereid/test-kit/state-server';
import { testSignatures, withOrder, type TestJob } from '../../testing/test-signatures.ts';
import { anActivity } from '../testing/an-activity.ts';
import type { TestHost } from '../testing/open-test-host.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';
import { nextJob } from '../testing/test-jobs.ts';

const hosts = hostsOfEachTest();
let states: StateServer;
let opened: TestHost;

beforeEach(async () => {
  states = await startStateServer();
  opened = hosts.openHost({ environment: { STATE_SERVER: 'of applies', PREVIEW_SERVER: 'of previews' } });
});

afterEach(async () => {
  await states[Symbol.asyncDispose]();
});

/** A root whose state is on the server of states. */
async function aRoot(): Promise<TestJob> {
  const { job } = await rootWith([]);
  return job;
}

async function rootWith(before: TestJob['root']['steps']['plan']) {
  const job = await hosts.deploy({ 'main.tf': 'terraform {\n  backend "http" {}\n}\n' });
  const init = { kind: 'init', extraArgs: states.backendConfig } as const;
  const plan = [...before, init, { kind: 'plan', extraArgs: ['-lock-timeout=0s'] }] as const;
  return { job: { ...job, root: { ...job.root, steps: { ...job.root.steps, plan } } } };
}

describe('a lock that a run left behind', () => {
  test('is freed, and the host signs that', async () => {
    const order = await orderFor(await aRoot());
    states.lock({ ID: order.body.unlocking.lockId, Who: 'ada@gone' });

    const outcome = await free(order);

    expect(states.lockedBy()).toBeUndefined();
    const about = { pool: DEFAULT_POOL, forceUnlockId: order.body.id, order: order.signature };
    const { body } = await testSignatures.open('result/force-unlocked', outcome, about);
    expect(body.failure).toBeUndefined();
  });

  test('fails a plan, which names it, and is freed by that name: then the plan succeeds', async () => {
    const job = await withOrder(await aRoot());
    states.lock({ ID: '594d17c1-7d4f-5256-08d1-4d67a8754dbd', Who: 'ada@gone' });
    const failed = await opened.plan(job);
    const lock = failed.kind === 'failed' ? failed.failure.body.stateLock : undefined;

    await free(await orderFor(job, { lockId: lock?.id ?? 'none' }));

    expect(lock).toEqual({ id: '594d17c1-7d4f-5256-08d1-4d67a8754dbd' });
    expect(await opened.plan(await withOrder(nextJob(job)))).toMatchObject({ kind: 'planned' });
  });

  test('is freed with the environment of applies, after the steps that come before the plan', async () => {
    const seen = { kind: 'run', run: 'test "$STATE_SERVER" = "of applies" && test -z "$PREVIEW_SERVER"' } as const;
    const { job } = await rootWith([seen]);
    states.lock({ ID: '1', Who: 'ada@gone' });

    expect((await free(await orderFor(job))).body.failure).toBeUndefined();
    expect(states.lockedBy()).toBeUndefined();
  });

  test('stays when Terraform says no, and the outcome has its words', async () => {
    const order = await orderFor(await aRoot());

    const outcome = await free(order);

    expect(outcome).toMatchObject({
      body: { failure: { lines: expect.arrayContaining([expect.stringContaining('Failed to unlock state')]) } },
    });
  });

  test('stays when another id is given, although its backend frees whatever lock there is', async () => {
    const order = await orderFor(await aRoot(), { lockId: '594d17c1-7d4f-5256-08d1-4d67a8754dbd' });
    states.lock({ ID: '8a048411-8b94-c90d-666e-5e73af588e74', Who: 'ada@work' });

    const outcome = await free(order);

    expect(outcome).toMatchObject({
      body: { failure: { summary: expect.stringContaining('is not the one that is there: that is 8a048411') } },
    });
    expect(states.lockedBy()).toBe('ada@work');
  });

  test('leaves nothing on the host', async () => {
    await free(await orderFor(await aRoot()));
    await opened.host.settled();

    expect(await hosts.deployments()).toEqual([]);
  });
});

describe('nothing is freed', () => {
  test.each<[string, string, (order: ForceUnlockOrder) => Partial<ForceUnlockOrder>]>([
    ['for another lock than was ordered', 'FORGED', ({ unlocking }) => ({ unlocking: { ...unlocking, lockId: '2' } })],
    ['for another root than was ordered', 'FORGED', ({ root }) => ({ root: { ...root, dir: 'other' } })],
  ])('an order %s frees nothing', async (_what, type, change) => {
    const order = await orderFor(await aRoot());
    states.lock({ ID: order.body.unlocking.lockId, Who: 'ada@gone' });

    const changed = { ...order, body: { ...order.body, ...change(order.body) } };
    await expect(free(changed)).rejects.toMatchObject({ type, nonRetryable: true });
    expect(states.lockedBy()).toBe('ada@gone');
  });

  test('for an order that nobody signed', async () => {
    const order = await orderFor(await aRoot());

    await expect(free({ ...order, signature: '' })).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
  });

  test('after the order has expired', async () => {
    const order = await orderFor(await aRoot(), { expiresAt: new Date(Date.now() - 1).toISOString() });

    await expect(free(order)).rejects.toMatchObject({ type: 'ORDER_EXPIRED' });
  });

  test('for an id that is a flag, even when it was signed', async () => {
    const order = await orderFor(await aRoot(), { lockId: '-force' });

    await expect(free(order)).rejects.toMatchObject({ type: 'FORGED' });
  });
});

test('nobody plans or applies with an order to free a lock', async () => {
  const job = await aRoot();
  const order = await orderFor(job);

  const { signature } = order;
  await expect(opened.plan({ ...job, order: { ...job.order, signature } })).rejects.toMatchObject({ type: 'FORGED' });
  await expect(opened.plan({ ...job, order })).rejects.toMatchObject({ type: 'FORGED' });
});

function free(order: Signed<ForceUnlockOrder>): Promise<Signed<ForceUnlocked>> {
  return anActivity().run(() => opened.host.hostActivities.forceUnlockOnHost(order));
}

async function orderFor(
  { order: _its, deploymentId: _of, ...job }: TestJob,
  changes: Partial<ForceUnlockOrder['unlocking']> = {},
): Promise<Signed<ForceUnlockOrder>> {
  const ordered = { ...job, id: randomUUID(), trigger: 'manual', pullRequest: 12 } as const;
  const unlocking = { lockId: '1', commentId: 3, expiresAt: new Date(Date.now() + 60_000).toISOString(), ...changes };
  return testSignatures.enclose('order/force-unlock', { ...orderBody(job.repository, ordered), unlocking });
}
