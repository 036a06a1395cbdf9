import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApplyJob, ApplyOutcome, Go } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { withGo, withOrder, type Applying, type TestJob } from '../../../testing/test-signatures.ts';
import { anActivity } from '../../testing/an-activity.ts';
import type { TestHost } from '../../testing/open-test-host.ts';
import { hostsOfEachTest } from '../../testing/test-hosts.ts';
import { applyOf, nextJob } from '../../testing/test-jobs.ts';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" {}\n' };
const FORGED = { type: 'FORGED', nonRetryable: true };

const hosts = hostsOfEachTest();
let host: TestHost;
let job: TestJob;

beforeEach(async () => {
  host = hosts.openHost();
  job = await hosts.deploy(FILES);
});

describe('a host plans only what was ordered', () => {
  const theirs = { steps: { plan: [{ kind: 'run', run: 'touch stolen' } as const], apply: [] } };

  test.each<readonly [string, (ordered: TestJob) => TestJob]>([
    ['without a signature', ({ order, ...rest }) => ({ ...rest, order: { ...order, signature: '' } })],
    ['with steps of somebody else', (ordered) => saying(ordered, { root: { ...ordered.root, ...theirs } })],
    ['for another repository', (ordered) => saying(ordered, { repository: { ...ordered.repository, name: 'other' } })],
    ['under another id', (ordered) => saying(ordered, { id: randomUUID() })],
    ...['repo', 'home', 'tmp', '../../elsewhere', randomUUID(), jobIdOf(randomUUID(), 'plan', 1)].map(
      (jobId) => [`as the job ${jobId}`, (ordered: TestJob) => ({ ...ordered, jobId })] as const,
    ),
    ...(['apply', 'unlock'] as const).map(
      (phase) =>
        [
          `as the ${phase} of it`,
          (ordered: TestJob) => ({ ...ordered, jobId: jobIdOf(ordered.deploymentId, phase, 1) }),
        ] as const,
    ),
  ])('a host plans nothing %s', async (_what, forge) => {
    await expect(host.plan(forge(job))).rejects.toMatchObject(FORGED);
    expect(await hosts.deployments()).toEqual([]);
  });

  test('until its order ends', async () => {
    const ended = await withOrder({ ...job, expiresAt: new Date(Date.now() - 1).toISOString() });

    await expect(host.plan(ended)).rejects.toMatchObject({ type: 'ORDER_EXPIRED', nonRetryable: true });
    expect(await hosts.deployments()).toEqual([]);
  });

  test('with its own steps, whatever steps come beside its order', async () => {
    // Extra fields come over the wire, whatever the type says.
    const bringing = { ...job, order: { ...job.order, ...theirs }, root: { ...job.root, ...theirs } };

    expect(await host.plan(bringing)).toMatchObject({ kind: 'planned' });
    expect(await hosts.readLog(job)).not.toContain('stolen');
  });
});

/** With another order, and the signature of its own. */
function saying(ordered: TestJob, more: Partial<TestJob['order']['body']>): TestJob {
  return { ...ordered, order: { ...ordered.order, body: { ...ordered.order.body, ...more } } };
}

test('a host plans nothing that was ordered for another pool, and its slot is free again', async () => {
  const ofProd = await withOrder({ ...job, root: { ...job.root, pool: 'prod' } });

  await expect(host.plan(ofProd)).rejects.toMatchObject({
    ...FORGED,
    message: expect.stringContaining('one for the pool prod on a host of default'),
  });
  expect(await hosts.deployments()).toEqual([]);
});

describe('a host applies only what it has permission for', () => {
  let applying: Applying & { readonly hostId: string };
  let ready: ApplyJob;

  beforeEach(async () => {
    applying = { ...applyOf(job, await host.plan(job)), hostId: 'h1' };
    ready = await withGo(applying);
  });

  const later = new Date(Date.now() + 3_600_000).toISOString();

  test.each<[string, (permission: ApplyJob) => ApplyJob]>([
    ['made-up permission', ({ go, ...permission }) => ({ ...permission, go: { ...go, signature: 'a..b' } })],
    ['permission for another job', (permission) => ({ ...permission, jobId: jobIdOf(job.deploymentId, 'apply', 2) })],
    ['permission for another plan', (permission) => permitting(permission, { digest: 'b2'.repeat(32) })],
    ['permission that was made longer', (permission) => permitting(permission, { expiresAt: later })],
    [
      'the signature of the order',
      (permission) => ({ ...permission, go: { ...permission.go, signature: permission.order.signature } }),
    ],
  ])('a host applies nothing with %s', async (_what, forge) => {
    await expect(applied(forge(ready))).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and follows no other', async () => {
    const root = { ...job.root, timeoutMs: { plan: 1, apply: 1 } };
    const made = { ...ready, order: saying(job, { root }).order };

    const followed = anActivity().run(() => host.host.hostActivities.inspectApply(made));

    await expect(followed).rejects.toMatchObject(FORGED);
  });

  test('and nothing with the permission of another host', async () => {
    await expect(applied(await withGo({ ...applying, hostId: 'h2' }))).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and nothing with permission for an earlier order', async () => {
    const again = await withOrder({ ...job, requestId: 'another' });

    await expect(applied({ ...ready, order: again.order })).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and nothing once the permission has ended', async () => {
    const ended = await withGo(applying, new Date(Date.now() - 1).toISOString());

    await expect(applied(ended)).rejects.toMatchObject({ type: 'GO_EXPIRED' });
    expect(await hosts.state()).toBeUndefined();
  });

  test('once, however often permission is given: then it tells how that ended', async () => {
    expect((await applied(ready)).kind).toBe('applied');
    const state = await hosts.state();

    const again = await applied(await withGo(nextJob(applying)));

    expect(again.kind).toBe('applied');
    expect(await hosts.state()).toBe(state);
  });

  function applied(permission: ApplyJob): Promise<ApplyOutcome> {
    return anActivity().run(() => host.host.hostActivities.applyOnHost(permission));
  }
});

/** With another permission, and the signature of its own. */
function permitting({ go, ...permission }: ApplyJob, more: Partial<Go>): ApplyJob {
  return { ...permission, go: { ...go, body: { ...go.body, ...more } } };
}
