import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { pullRequestWorkflowId } from '@nereid/domain/pull-request';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aMergeReview, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import {
  createJobLogs,
  createKeptPlans,
  createMergeReviews,
  createPullRequestRecords,
  openObjectStore,
  type ObjectStore,
} from '@nereid/storage';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { forgetPreviews } from './forget-previews.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW_MS = Date.parse('2026-06-30T12:00:00.000Z');

const folder = folderOfEachTest();
let store: ObjectStore;
let context: Parameters<typeof forgetPreviews>[0];
/** The ids of the workflows that were told. */
let told: string[];

beforeEach(async () => {
  store = await openObjectStore(`file:${folder}`);
  const logger = pino({ level: 'silent' });
  told = [];
  const signalWithStart = async (_type: string, options: { workflowId: string }) => told.push(options.workflowId);
  context = {
    pullRequestRecords: createPullRequestRecords(store),
    mergeReviews: createMergeReviews(store),
    keptPlans: createKeptPlans(store, [randomBytes(32)]),
    jobLogs: createJobLogs(store),
    server: { current: () => ({ pools: [], retention: { previewsMs: 30 * DAY_MS } }) },
    temporal: { ...CLIENT, workflow: { signalWithStart } } as unknown as typeof context.temporal,
    logger,
  };
});

afterEach(() => {
  store.close();
});

const CLIENT = { withDeadline: (_deadline: number, act: () => Promise<unknown>) => act() };

const daysAgo = (days: number) => new Date(NOW_MS - days * DAY_MS).toISOString();

/** A preview that has ended, with its log. */
async function aPreview(id: string, days: number, more: Partial<Deployment> = {}): Promise<void> {
  const endedAt = daysAgo(days);
  const progress = { ...progressAs('planned', endedAt), jobs: { plan: { id: `job-${id}`, startedAt: endedAt } } };
  const deployment = deploymentAt(1, { id, receivedAt: endedAt, pullRequest: 12, progress, ...more });
  await context.pullRequestRecords.openPreview({ version: 1, repository: REPOSITORY, deployment, endedAt });
  const writer = context.jobLogs.of(DEFAULT_POOL).writer(`job-${id}`, { mask: [], onError: () => undefined });
  await writer.write(Buffer.from('Plan: 1 to add\n'));
  await writer.end();
}

async function aPullRequest(isOpen: boolean, days: number, ids: readonly string[]): Promise<void> {
  const previews = ids.map((deploymentId) => ({ rootName: 'network', deploymentId }));
  const look = { isOpen, headSha: 'a'.repeat(40), baseBranch: 'main', at: daysAgo(days), previews };
  await context.pullRequestRecords.change(REPOSITORY, { number: 12 }, () => {
    return { version: 1, repository: REPOSITORY, number: 12, look, checkRuns: [] };
  });
}

/** All objects that are stored. The store's own files begin with `~`. */
async function stored(): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const objects = files.filter((file) => file.isFile() && !file.parentPath.includes('~'));
  return objects.map((file) => join(file.parentPath, file.name).slice(folder.length + 1));
}

test('nothing is left of an old pull request that was closed', async () => {
  await aPreview('one', 32);
  await aPreview('two', 32);
  await aPullRequest(false, 31, []);

  await forgetPreviews(context, Date.now() + 31 * DAY_MS);

  expect(await stored()).toEqual([]);
});

test('one that touched no root is forgotten as well', async () => {
  await aPullRequest(false, 31, []);
  await forgetPreviews(context, Date.now() + 29 * DAY_MS);
  const kept = await stored();

  await forgetPreviews(context, Date.now() + 31 * DAY_MS);

  expect(kept).toContain('pulls/acme/infra/12.json');
  expect(await stored()).toEqual([]);
});

test.each([
  ['a pull request', undefined],
  ['a group', { headSha: 'c'.repeat(40), branch: 'gh-readonly-queue/main/pr-12-c', requestedAt: daysAgo(0) }],
])('%s that is said to be open for a month is looked at: its end may have been lost', async (_what, group) => {
  const subject = { number: 12, ...(group && { group: group.headSha }) };
  await aPullRequest(true, 35, []);
  await context.pullRequestRecords.change(REPOSITORY, subject, (record) => ({
    ...{ version: 1, repository: REPOSITORY, number: 12, checkRuns: [], ...record },
    ...(group && { group }),
  }));
  const later = Date.now() + 31 * DAY_MS;

  await forgetPreviews(context, later);

  expect(told).toContain(pullRequestWorkflowId(REPOSITORY, subject));
  // It is not asked for again in each round.
  expect(await context.pullRequestRecords.pullRequestsBefore(new Date(), 10)).toEqual([]);
});

test('a preview is kept for thirty days, whatever became of it', async () => {
  await aPreview('one', 30);
  await aPullRequest(false, 30, []);
  const before = await stored();

  await forgetPreviews(context, NOW_MS);

  expect(await stored()).toEqual(before);
});

test('what an open pull request shows is kept, and its earlier plans go', async () => {
  await aPreview('earlier', 40);
  await aPreview('shown', 35);
  await aPullRequest(true, 35, ['shown']);

  await forgetPreviews(context, NOW_MS);

  const files = await stored();
  expect(files.filter((file) => file.includes('earlier'))).toEqual([]);
  expect(files).toContain('previews/acme/infra/network/shown.json');
  expect(files).toContain('logs/default/job-shown/manifest.json');
  // It is not asked for again in each round.
  expect(await context.pullRequestRecords.previewsBefore(new Date(NOW_MS), 10)).toEqual([]);
});

test('a group of a merge queue is not mistaken for the pull request that it ends with', async () => {
  const group = 'c'.repeat(40);
  const preview = { headSha: group, baseSha: 'b'.repeat(40), group, expiresAt: daysAgo(31) };
  await aPreview('one', 32, { preview });
  await aPullRequest(true, 35, ['one']);

  await forgetPreviews(context, NOW_MS);

  expect((await stored()).filter((file) => file.includes('one'))).toEqual([]);
});

test('a preview that cannot be read holds up no other', async () => {
  await aPreview('broken', 40);
  await aPreview('one', 35);
  await store.put('previews/acme/infra/network/broken.json', Buffer.from('{'));

  await forgetPreviews(context, NOW_MS);

  expect((await stored()).filter((file) => file.includes('one'))).toEqual([]);
});

describe('a plan that is kept for the merge', () => {
  const place = (id: string) => ({ owner: 'acme', name: 'infra', rootName: 'network', id });

  /** Kept and reviewed so many days ago. */
  async function aKeptPlan(id: string, days: number): Promise<void> {
    await aPreview(id, days);
    await context.mergeReviews.keepFrom(place(id), new Date(daysAgo(days)));
    await context.mergeReviews.open(REPOSITORY, aMergeReview({ previewId: id, at: daysAgo(days) }));
    await store.put(`plans/default/${id}`, Buffer.from('sealed'));
  }

  const isKept = async (id: string) => (await stored()).some((file) => file === `plans/default/${id}`);
  const isReviewed = async (id: string) => (await context.mergeReviews.read(REPOSITORY, 'network', id)) !== undefined;

  test('goes with its review a week after the pull request was closed', async () => {
    await aKeptPlan('one', 9);
    await aPullRequest(false, 8, []);

    await forgetPreviews(context, NOW_MS);

    expect([await isKept('one'), await isReviewed('one')]).toEqual([false, false]);
    expect(await context.mergeReviews.keptBefore(new Date(NOW_MS), 10)).toEqual([]);
  });

  test('stays until then, because its deployment may still wait', async () => {
    await aKeptPlan('one', 12);
    await aPullRequest(false, 6, []);

    await forgetPreviews(context, NOW_MS);

    expect([await isKept('one'), await isReviewed('one')]).toEqual([true, true]);
    await forgetPreviews(context, NOW_MS + 2 * DAY_MS);
    expect([await isKept('one'), await isReviewed('one')]).toEqual([false, false]);
  });

  test('stays while the pull request shows it', async () => {
    await aKeptPlan('shown', 12);
    await aKeptPlan('replaced', 12);
    await aPullRequest(true, 12, ['shown']);

    await forgetPreviews(context, NOW_MS);

    expect([await isKept('shown'), await isKept('replaced')]).toEqual([true, false]);
  });
});
