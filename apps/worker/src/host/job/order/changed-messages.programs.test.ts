/**
 * Somebody who reaches Temporal takes what control signed, changes one thing in it, and has a host's queue carry it out. The table is
 * made from the messages themselves: a field that is added to one of them is tried as well.
 */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HostJob, Order } from '@nereid/domain/deployment';
import type { PlanReview, ReviewedBefore } from '@nereid/domain/plan';
import { DEFAULT_POOL, type Root } from '@nereid/domain/root';
import { changedMessages } from '@nereid/test-kit/changed-messages';
import { openedApply, testSignatures, withGo, withOrder, type TestJob } from '../../../testing/test-signatures.ts';
import { openApply, openJob } from './open-job.ts';
import { anActivity } from '../../testing/an-activity.ts';
import type { TestHost } from '../../testing/open-test-host.ts';
import { startTestHosts, type TestHosts } from '../../testing/test-hosts.ts';
import { applyOf } from '../../testing/test-jobs.ts';
import type { Signed } from '@nereid/domain/signed';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" {}\n' };
const AT = '2026-01-31T14:30:00.000Z';

/** Everything that may be absent is there, or this does not compile. */
type Full<T> = T extends object ? { readonly [Field in keyof T]-?: Full<T[Field]> } : T;

const ROOT: Full<Omit<Root, 'steps' | 'pool' | 'permissions' | 'terraformVersion' | 'dir' | 'realDir'>> = {
  name: 'network',
  workspace: 'default',
  twins: ['network-us'],
  distribution: 'terraform',
  planReview: 'required',
  queue: 'every',
  onFailure: 'continue',
  varFiles: ['prod.tfvars'],
  timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
  network: 'host',
  review: { count: 2, eachOf: ['acme/sre'], expiresMs: 3_600_000 },
  carryReview: 'same_plan',
  autoWhen: [
    { of: '**', no: ['destroy'], onlyTypes: ['aws_*'], maxChanges: 1, policies: ['cost'], digest: 'd4'.repeat(32) },
  ],
};

const REVIEWED: Full<ReviewedBefore> = {
  review: {
    body: {
      version: 1,
      requestId: 'press:network',
      rootName: 'network',
      pullRequest: 12,
      previewId: randomUUID(),
      order: 'of the preview',
      digest: 'c3'.repeat(32),
      tree: 'd'.repeat(40),
      lane: 'never applied',
      by: 'grace',
      byId: 2,
      at: AT,
    },
    signature: 'of control',
  },
  ahead: randomUUID(),
};

const ORDER: Full<Omit<Order, 'version' | 'id' | 'repository' | 'root' | 'revision' | 'requestedBy' | 'preview'>> = {
  requestId: 'r1',
  trigger: 'merge',
  rerun: false,
  force: false,
  requestedById: 1,
  pullRequest: 12,
  formerly: {
    rootName: 'net',
    lock: { kind: 'manual', deploymentId: randomUUID(), revision: 'e'.repeat(40), by: 'ada', byId: 1, at: AT },
  },
  reviewed: REVIEWED,
  rollout: 'a rollout',
  together: { rollout: 'a rollout', isLarge: true, waves: 'a rollout' },
  configWarnings: ['expected nereid.yaml, found nereid.yml'],
  orderedAt: AT,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
};

const PREVIEW: Full<NonNullable<Order['preview']>> = {
  headSha: 'a'.repeat(40),
  baseSha: 'b'.repeat(40),
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  group: 'c'.repeat(40),
  isOnlyInTable: true,
  isRemoval: true,
  forMerge: { tree: 'd'.repeat(40), lane: 'never applied' },
  reverts: { deploymentId: randomUUID(), pullRequest: 42, toPullRequest: 41, deployedAt: AT, between: 1 },
};

let hosts: TestHosts;
let host: TestHost;
/** A deployment whose plan waits, as it was ordered. */
let waiting: TestJob;
let before: unknown;

beforeAll(async () => {
  hosts = await startTestHosts();
  host = hosts.openHost();
  const made = await hosts.deploy({ ...FILES, 'prod.tfvars': '' });
  const permissions = {
    confirm: [{ permission: 'write', teams: ['acme/ops'], users: ['ada'], notAuthor: true }],
  } as const;
  waiting = await withOrder({ ...made, root: { ...made.root, ...ROOT, permissions }, ...ORDER });
});

afterAll(() => hosts.close());

/** What a host keeps, on its disk and in storage. */
async function everything(): Promise<unknown> {
  const folder = dirname(hosts.treeOf(waiting));
  return [await readdir(dirname(folder)), await readdir(folder), await hosts.keptPlans(), await hosts.readLog(waiting)];
}

/** The changes with which something was done. A message that lacks what is read first is refused as well. */
async function notRefused<T extends object>(
  genuine: T,
  ask: (message: T) => Promise<unknown>,
): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const { what, message } of changedMessages(genuine)) {
    const answer: unknown = await anActivity().run(() => ask(message).catch((error: unknown) => error));
    const isRefused =
      answer instanceof Error && (('type' in answer && answer.type === 'FORGED') || what.endsWith('is missing'));
    if (!isRefused) passed.push(`${what}: ${String(answer)}`);
  }
  return passed;
}

/** Nothing but what its host is sent. */
function messageOf({ jobId, order }: TestJob): HostJob {
  return { jobId, order };
}

describe('nothing can be changed', () => {
  beforeAll(async () => {
    await host.plan(waiting);
    before = await everything();
  });

  test('in the order of a plan', async () => {
    expect(
      await notRefused(messageOf(waiting), (job) => host.host.claims.deployment.activities.claimAndPlan(job)),
    ).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test('in the order of a preview', async () => {
    const { reviewed: _none, ...ordered } = waiting;
    const preview = await withOrder({ ...ordered, trigger: 'preview', preview: PREVIEW });

    expect(
      await notRefused(messageOf(preview), (job) => host.host.claims.deployment.activities.claimAndPlan(job)),
    ).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test.each([false, true])(
    'permission to apply cannot be changed, whether the plan is empty or not: %s',
    async (isEmpty) => {
      const ready = applyOf(waiting, await host.plan(waiting));
      const review = await aReview(ready);
      const job = await withGo({ ...ready, hostId: 'h1', review }, undefined, isEmpty);
      const now = await everything();

      expect(await notRefused(job, (leave) => host.host.hostActivities.applyOnHost(leave))).toEqual([]);
      expect(await notRefused(job, (leave) => host.host.hostActivities.inspectApply(leave))).toEqual([]);
      expect(await everything()).toEqual(now);
      expect(await hosts.begunApplies.read(waiting.deploymentId)).toBeUndefined();
      expect(await hosts.state()).toBeUndefined();
    },
  );

  test('in the order to free a lock', async () => {
    const unlocking = { lockId: '1', commentId: 3, expiresAt: PREVIEW.expiresAt };
    const order = { ...waiting.order.body, id: randomUUID(), unlocking };
    const genuine = await testSignatures.enclose('order/force-unlock', order);

    expect(await notRefused(genuine, (changed) => host.host.hostActivities.forceUnlockOnHost(changed))).toEqual([]);
  });
});

describe('what comes beside a genuine message is left behind', () => {
  const context = { signatures: testSignatures, hostId: 'h1', config: { pool: DEFAULT_POOL } };
  const beside = {
    unlocking: {},
    made: 'up',
    go: { expiresAt: PREVIEW.expiresAt, signature: 'made up' },
    digest: 'a1'.repeat(32),
  };

  test('so nobody makes a plan of a job that has the variables of an apply', async () => {
    const { jobId, order } = waiting;

    const asked = { jobId, ...beside, hostId: 'h1', review: {}, order: { ...order, made: 'up' } };

    const opened = await openJob(context, 'plan', asked);
    expect({ ...opened, order: opened.order.signed }).toEqual(waiting);
  });

  test('in permission to apply as well', async () => {
    const ready = await withGo({ ...applyOf(waiting, await host.plan(waiting)), hostId: 'h1' });

    const asked = { ...ready, unlocking: {}, made: 'up', go: { ...ready.go, made: 'up' } };

    const { order, go, ...opened } = await openApply(context, asked);
    const { order: _of, go: _its, ...expected } = await openedApply(ready);
    expect(opened).toEqual(expected);
    expect([order.signed, go.signed]).toEqual([ready.order, ready.go]);
  });
});

test.each(['idle', 'repo', '..', `../${randomUUID()}`, '', randomUUID().toUpperCase()])(
  'a host cleans up deployments, and nothing that is named %j',
  async (name) => {
    const cleaned = anActivity().run(() => host.host.hostActivities.cleanUpHost(name));

    await expect(cleaned).rejects.toMatchObject({ type: 'FORGED' });
  },
);

function aReview({ deploymentId, digest }: { deploymentId: string; digest: string }): Promise<Signed<PlanReview>> {
  const said: Full<PlanReview> = {
    ...{
      version: 1,
      requestId: 'r1',
      deploymentId,
      answer: 'approved',
      digest,
      carriedFrom: 'c3'.repeat(32),
      by: 'grace',
      byId: 2,
      teams: ['acme/sre'],
      at: AT,
    },
  };
  return testSignatures.enclose('decision/review', said);
}
