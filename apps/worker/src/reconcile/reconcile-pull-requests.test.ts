import { beforeEach, describe, expect, test } from '@jest/globals';
import { pullRequestWorkflowId, type PullRequestLook, type PullRequestVerdict } from '@nereid/domain/pull-request';
import type { ListedPullRequest } from '@nereid/forge';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import {
  createDeploymentRecords,
  createLaneRecords,
  createPullRequestRecords,
  type PullRequestRecords,
} from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import { beginContext } from '../gates/testing/begin-context.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

type Context = Parameters<typeof reconcilePullRequests>[0];

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const EARLIER = 'c'.repeat(40);
const { server: SERVER } = beginContext({ repositories: '[{ match: "acme/*", pull_requests: plan }]' });
const NO_PLACE: PullRequestVerdict = { conclusion: 'action_required', title: '500 are planned', lines: [] };

const store = storeOfEachTest();
let records: PullRequestRecords;

beforeEach(() => {
  records = createPullRequestRecords(store);
});

/** The workflows that are told in a round, while these numbers are open. */
async function round(open: readonly number[]): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const listed = open.map((number): ListedPullRequest => {
    return { number, draft: false, fromFork: false, headSha: HEAD, updatedAt: new Date().toISOString() };
  });
  const forge = {
    mergeQueue: { groups: async () => [] },
    pullRequests: { open: async () => listed },
  } as unknown as Context['forge'];
  const temporal = {
    withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
    workflow: {
      signalWithStart: async (_type: string, options: { workflowId: string }) => told.add(options.workflowId),
    },
  } as unknown as Context['temporal'];
  const logger = pino({ level: 'silent' });
  const mirrors = { branchHead: async () => BASE } as unknown as Context['mirrors'];
  const [laneRecords, deploymentRecords] = [createLaneRecords(store), createDeploymentRecords(store)];
  const context = {
    server: SERVER,
    forge,
    mirrors,
    temporal,
    pullRequestRecords: records,
    laneRecords,
    deploymentRecords,
    logger,
  };
  await reconcilePullRequests(context, { repository: REPOSITORY, branch: 'main' });
  return told;
}

/** It was looked at, and waits for a place among those that are planned. */
async function waits(number: number, second: number): Promise<void> {
  await looked(number, { at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(), verdict: NO_PLACE });
}

async function looked(number: number, more: Partial<PullRequestLook>): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const look = { isOpen: true, headSha: HEAD, baseBranch: 'main', at, previews: [], ...more };
  const record = { version: 1, repository: REPOSITORY, number, checkRuns: [], look } as const;
  await records.change(REPOSITORY, { number }, () => record);
}

/** The lane of `network` has a merge that waits. */
async function isBusy(): Promise<void> {
  const seen = { requestIds: [], merges: [] };
  const writer = { runId: 'run', sequence: 1 };
  const record = { version: 1, repository: REPOSITORY, rootName: 'network', manual: [], seen, writer } as const;
  await createLaneRecords(store).write({ ...record, merged: [deploymentAt(1)] }, null);
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

test('a draft is not looked at again, whatever its lane does', async () => {
  const previews = [{ rootName: 'network', deploymentId: 'd1', ahead: BASE }];
  await looked(1, { baseSha: EARLIER, notRenewed: 'idle', previews });

  expect(await round([1])).toEqual(new Set());
});

describe('what was said of a base is said again when the base has moved', () => {
  const failed = (title: string): PullRequestVerdict => ({ conclusion: 'failure', title, lines: [] });
  const nothing: PullRequestVerdict = { conclusion: 'success', title: 'Touches no root', lines: [] };

  test.each([failed('Conflicts with main: nothing was planned'), failed('nereid.yaml: 1 problem'), nothing])(
    'a pull request that says "$title" is looked at again when its base has moved',
    async (verdict) => {
      await looked(1, { verdict, baseSha: EARLIER });
      await looked(2, { verdict, baseSha: BASE });
      await looked(3, { verdict });

      expect(await round([1, 2, 3])).toEqual(idsOf([1]));
    },
  );
});

test.each(['outdatedBy', 'ahead'] as const)(
  'a plan that waits for its lane (%s) is looked at once that has nothing of the branch left, whoever told of it',
  async (mark) => {
    const preview = { rootName: 'network', deploymentId: 'd1' };
    await looked(1, { baseSha: EARLIER, previews: [{ ...preview, [mark]: BASE }] });
    await looked(2, { baseSha: EARLIER, previews: [preview] });
    const quiet = await round([1, 2]);
    await isBusy();

    expect(quiet).toEqual(idsOf([1]));
    // The other one does not say so.
    expect(await round([1, 2])).toEqual(idsOf([2]));
  },
);
