import { expect, test } from '@jest/globals';
import type { Facts } from './findings.ts';
import { brokenLimits } from './limit-findings.ts';

/** Ten seconds past the hour, and so on. */
const at = (seconds: number) => new Date(Date.parse('2026-01-31T14:00:00.000Z') + seconds * 1_000).toISOString();

const NONE = { spans: [], narrow: [], rollouts: [], skipped: [], audited: [], deployments: [], pushed: [] };

/** As far as these rules read them. */
function findingsOf(facts: object): readonly string[] {
  return Object.values(brokenLimits({ ...NONE, ...facts } as unknown as Facts)).flat();
}

const span = (rootName: string, fromMs: number, toMs: number) => ({
  name: `${rootName} merge 1`,
  rootName,
  fromMs,
  toMs,
});

test('applies on a budget of one are found that ran at once, and no others', () => {
  const spans = [span('a', 0, 10), span('b', 10, 20), span('other', 5, 15)];

  expect(findingsOf({ spans, narrow: ['a', 'b'] })).toEqual([]);
  expect(findingsOf({ spans: [...spans, span('a', 19, 21)], narrow: ['a', 'b'] })).toEqual([
    'a merge 1 began at 19, b merge 1 ended at 20',
  ]);
});

const deployed = (rootName: string, sha: string, status: string, seconds: number) => ({
  ...{ root: { name: rootName }, revision: { sha }, progress: { status }, endedAt: at(seconds) },
});

/** `b` of the merge `m` waits for `a`, and for a second more. Its apply began after ten seconds. */
const MERGE = {
  pushed: [{ sha: 'm' }, { sha: 'fix' }],
  rollouts: [
    {
      id: 'm/1',
      revision: 'm',
      waves: [
        { rootNames: ['a'], soakMs: 1_000 },
        { rootNames: ['b'], soakMs: 0 },
      ],
    },
  ],
  audited: [{ state: 'RUNNING', rootName: 'b', revision: 'm', startedAt: at(10) }],
};

test.each<[string, readonly object[], 'in time' | 'early']>([
  ['the wave before it was deployed', [deployed('a', 'm', 'succeeded', 9)], 'in time'],
  ['a fix was deployed', [deployed('a', 'm', 'apply-failed', 5), deployed('a', 'fix', 'succeeded', 9)], 'in time'],
  ['the wave before it had not soaked', [deployed('a', 'm', 'succeeded', 9.5)], 'early'],
  ['the wave before it had failed', [deployed('a', 'm', 'apply-failed', 5)], 'early'],
  ['the wave before it was not deployed', [], 'early'],
])('where %s, a wave began %s, unless somebody skipped the one before it', (_what, deployments, began) => {
  const found = { length: began === 'early' ? 1 : 0 };

  expect(findingsOf({ ...MERGE, deployments })).toMatchObject(found);
  expect(findingsOf({ ...MERGE, deployments, skipped: [{ rollout: 'm/1', wave: 1 }] })).toEqual([]);
  expect(findingsOf({ ...MERGE, deployments, skipped: [{ rollout: 'other/1', wave: 1 }] })).toMatchObject(found);
});
