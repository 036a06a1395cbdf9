import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pullRequestWorkflowId, type PullRequestVerdict } from '@nereid/contracts';
import type { ListedPullRequest } from '@nereid/github';
import { REPOSITORY } from '@nereid/lane/testing';
import { createPullRequestRecords, openObjectStore, type ObjectStore, type PullRequestRecords } from '@nereid/storage';
import { pino } from 'pino';
import { beginContext } from '../lane/leave/testing/begin-context.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

type Context = Parameters<typeof reconcilePullRequests>[0];

const HEAD = 'a'.repeat(40);
const { server: SERVER } = beginContext({ repositories: '[{ match: "acme/*", pull_requests: plan }]' });
const NO_PLACE: PullRequestVerdict = { conclusion: 'action_required', title: '500 are planned', lines: [] };

let folder: string;
let store: ObjectStore;
let records: PullRequestRecords;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-reconcile-'));
  store = await openObjectStore(`file:${folder}`, { pathStyle: false });
  records = createPullRequestRecords(store);
});

afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

/** The workflows that are told in a round, while these numbers are open. */
async function round(open: readonly number[]): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const listed = open.map((number): ListedPullRequest => {
    return { number, draft: false, fromFork: false, headSha: HEAD, updatedAt: new Date().toISOString() };
  });
  const github = {
    repositories: { branchesWith: async () => [] },
    pullRequests: { open: async () => listed },
  } as unknown as Context['github'];
  const temporal = {
    withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
    workflow: {
      signalWithStart: async (_type: string, options: { workflowId: string }) => told.add(options.workflowId),
    },
  } as unknown as Context['temporal'];
  const logger = pino({ level: 'silent' });
  const context = { server: SERVER, github, temporal, pullRequestRecords: records, logger };
  await reconcilePullRequests(context, { repository: REPOSITORY, branch: 'main' });
  return told;
}

/** It was looked at, and waits for a place among those that are planned. */
async function waits(number: number, second: number): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const look = { isOpen: true, headSha: HEAD, baseBranch: 'main', at, previews: [], verdict: NO_PLACE };
  const record = { version: 1, repository: REPOSITORY, number, checkRuns: [], look } as const;
  await records.change(REPOSITORY, { number }, () => record);
}

const idsOf = (numbers: readonly number[]) =>
  new Set(numbers.map((number) => pullRequestWorkflowId(REPOSITORY, { number })));

test('however many pull requests wait for a place, those that are closed or of which no webhook came are looked at first', async () => {
  const waiting = Array.from({ length: 120 }, (_, index) => 1_000 + index);
  for (const [index, number] of waiting.entries()) await waits(number, 120 - index);
  const [closed, missed] = [7, 9];
  await records.remember(REPOSITORY, 'network', closed);

  const told = await round([...waiting, missed]);

  // Then those whose last look is the oldest.
  expect(told).toEqual(idsOf([closed, missed, ...waiting.slice(-98)]));
});
