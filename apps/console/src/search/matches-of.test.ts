import { expect, test } from '@jest/globals';
import type { LaneSummary, RolloutSummary } from '@nereid/api';
import type { LaneDeployment } from '../fleet/lane-deployments.ts';
import { matchesOf, type Known } from './matches-of.ts';

const SHA = 'abc1234def'.padEnd(40, '0');

/** All that is read of them. */
const KNOWN = {
  lanes: [
    { repository: 'acme/infra', rootName: 'prod-network', running: { requestedBy: 'bob' } },
    { repository: 'acme/infra', rootName: 'network' },
    { repository: 'acme/infra', rootName: 'network-edge' },
    { repository: 'acme/apps', rootName: 'dns' },
  ] as LaneSummary[],
  rollouts: [
    { title: 'Keep logs for 90 days (#1)', author: 'alice', sha: SHA },
    { title: 'Widen the network', author: 'bob', sha: 'f'.repeat(40) },
  ] as RolloutSummary[],
  deployments: [{ id: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90' }] as LaneDeployment[],
} satisfies Known;

const found = (text: string) => {
  const { lanes, rollouts, deployments } = matchesOf(text, KNOWN);
  return [
    ...lanes.map(({ rootName }) => rootName),
    ...rollouts.map(({ title }) => title),
    ...deployments.map(({ id }) => id),
  ];
};

test.each([
  [
    'the name of a root comes first, then names that begin so',
    'network',
    ['network', 'network-edge', 'prod-network', 'Widen the network'],
  ],
  ['each word has to match, in any case and order', 'DAYS keep', ['Keep logs for 90 days (#1)']],
  ['a repository', 'acme/apps', ['dns']],
  ['a person', 'bob', ['prod-network', 'Widen the network']],
  ['the beginning of a SHA', 'ABC1234', ['Keep logs for 90 days (#1)']],
  ['the beginning of the id of a deployment', '3f2a8c1e', ['3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90']],
  ['three characters of an id are too few', '3f2', []],
  ['no words', '  ', []],
])('finds %s', (_what, text, matches) => {
  expect(found(text)).toEqual(matches);
});

test('shows no more than anybody reads', () => {
  const lanes = Array.from(
    { length: 5_000 },
    (_, index) => ({ repository: 'acme/infra', rootName: `root-${index}` }) as LaneSummary,
  );

  expect(matchesOf('root', { ...KNOWN, lanes }).lanes).toHaveLength(20);
});
