import { expect, test } from '@jest/globals';
import type { LaneSummary, RolloutSummary } from '@nereid/api';
import { groupByMerge } from './lane-groups.ts';

const SHA = 'a'.repeat(40);

const rollout = (sha = SHA): RolloutSummary => ({
  repository: 'acme/infra',
  sha,
  title: 'Keep logs for 90 days (#1)',
  author: 'alice',
  at: '2026-01-31T14:00:00.000Z',
  counts: { review: 2 },
});

const lane = (rootName: string, sha?: string, repository = 'acme/infra') =>
  ({ repository, rootName, ...(sha !== undefined && { running: { sha } }) }) as LaneSummary; // All that is read of it.

const names = (lanes: readonly LaneSummary[], rollouts = [rollout()]) =>
  groupByMerge(lanes, rollouts).map((group) => [group.rollout?.title, ...group.lanes.map(({ rootName }) => rootName)]);

test('lanes about one merge are one group, in the place of the first', () => {
  const lanes = [lane('locked'), lane('network', SHA), lane('other', 'b'.repeat(40)), lane('dns', SHA, 'Acme/Infra')];

  expect(names(lanes)).toEqual([
    [undefined, 'locked'],
    ['Keep logs for 90 days (#1)', 'network', 'dns'],
    [undefined, 'other'],
  ]);
});

test('roots of two repositories with one name are two groups', () => {
  expect(names([lane('network'), lane('network', undefined, 'acme/apps')])).toHaveLength(2);
});

test('a commit with the same SHA in another repository is another merge', () => {
  expect(names([lane('network', SHA, 'acme/fork')])).toEqual([[undefined, 'network']]);
});
