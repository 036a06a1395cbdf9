import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ApplyJob, ApplyOutcome, HostJob } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { withGo, withOrder } from '../../../testing/test-signatures.ts';
import {
  anActivity,
  applyOf,
  nextJob,
  startTestHosts,
  type TestHost,
  type TestHosts,
} from '../../testing/test-hosts.ts';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" {}\n' };
const FORGED = { type: 'FORGED', nonRetryable: true };

let hosts: TestHosts;
let host: TestHost;
let job: HostJob;

beforeEach(async () => {
  hosts = await startTestHosts();
  host = hosts.openHost();
  job = await hosts.deploy(FILES);
});

afterEach(() => hosts.close());

describe('a host plans only what was ordered', () => {
  const theirs = { steps: { plan: [{ kind: 'run', run: 'touch stolen' } as const], apply: [] } };

  test.each<readonly [string, (ordered: HostJob) => HostJob]>([
    ['without a signature', ({ order: { signature: _none, ...order }, ...rest }) => ({ ...rest, order })],
    ['with steps of somebody else', (ordered) => ({ ...ordered, root: { ...ordered.root, ...theirs } })],
    ['for another repository', (ordered) => ({ ...ordered, repository: { ...ordered.repository, name: 'other' } })],
    [
      'with steps of somebody else beside an order that brings its own',
      ({ root, deploymentId: id, order, ...rest }) => {
        // Extra fields come over the wire, whatever the type says.
        const bringing: HostJob['order'] = { ...order, ...{ root, id } };
        return { ...rest, deploymentId: id, root: { ...root, ...theirs }, order: bringing };
      },
    ],
    ['under another id', (ordered) => ({ ...ordered, deploymentId: randomUUID() })],
    ...['repo', 'home', 'tmp', '../../elsewhere', randomUUID(), jobIdOf(randomUUID(), 'plan', 1)].map(
      (jobId) => [`as the job ${jobId}`, (ordered: HostJob) => ({ ...ordered, jobId })] as const,
    ),
    ...(['apply', 'unlock'] as const).map(
      (phase) =>
        [
          `as the ${phase} of it`,
          (ordered: HostJob) => ({ ...ordered, jobId: jobIdOf(ordered.deploymentId, phase, 1) }),
        ] as const,
    ),
  ])('and nothing %s', async (_what, forge) => {
    await expect(host.plan(forge(job))).rejects.toMatchObject(FORGED);
    expect(await hosts.deployments()).toEqual([]);
  });
});

test('a host plans nothing that was ordered for another pool, and its slot is free again', async () => {
  const ofProd = await withOrder({ ...job, root: { ...job.root, pool: 'prod' } });

  await expect(host.plan(ofProd)).rejects.toMatchObject({
    ...FORGED,
    message: expect.stringContaining('one for the pool prod on a host of default'),
  });
  expect(await hosts.deployments()).toEqual([]);
});

describe('a host applies only what it has permission for', () => {
  let ready: ApplyJob;

  beforeEach(async () => {
    ready = await withGo({ ...applyOf(job, await host.plan(job)), hostId: 'h1' });
  });

  const later = new Date(Date.now() + 3_600_000).toISOString();

  test.each<[string, (permission: ApplyJob) => ApplyJob]>([
    ['made-up permission', (permission) => ({ ...permission, go: { expiresAt: later, signature: 'a..b' } })],
    ['permission for another job', nextJob],
    ['permission for another plan', (permission) => ({ ...permission, digest: 'b2'.repeat(32) })],
    [
      'permission that was made longer',
      (permission) => ({ ...permission, go: { ...permission.go, expiresAt: later } }),
    ],
    [
      'the signature of the order',
      (permission) => ({ ...permission, go: { ...permission.go, signature: permission.order.signature ?? '' } }),
    ],
  ])('and nothing with %s', async (_what, forge) => {
    await expect(applied(forge(ready))).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and follows no other', async () => {
    const made = { ...ready, root: { ...ready.root, timeoutMs: { plan: 1, apply: 1 } } };

    const followed = anActivity().run(() => host.host.hostActivities.inspectApply(made));

    await expect(followed).rejects.toMatchObject(FORGED);
  });

  test('and nothing with the permission of another host', async () => {
    await expect(applied(await withGo({ ...ready, hostId: 'h2' }))).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and nothing with permission for an earlier order', async () => {
    const again = await withOrder({ ...job, order: { ...job.order, requestId: 'another' } });

    await expect(applied({ ...ready, order: again.order })).rejects.toMatchObject(FORGED);
    expect(await hosts.state()).toBeUndefined();
  });

  test('and nothing once the permission has ended', async () => {
    const ended = await withGo(ready, new Date(Date.now() - 1).toISOString());

    await expect(applied(ended)).rejects.toMatchObject({ type: 'GO_EXPIRED' });
    expect(await hosts.state()).toBeUndefined();
  });

  test('once, however often permission is given: then it tells how that ended', async () => {
    expect((await applied(ready)).kind).toBe('applied');
    const state = await hosts.state();

    const again = await applied(await withGo(nextJob(ready)));

    expect(again.kind).toBe('applied');
    expect(await hosts.state()).toBe(state);
  });

  function applied(permission: ApplyJob): Promise<ApplyOutcome> {
    return anActivity().run(() => host.host.hostActivities.applyOnHost(permission));
  }
});
