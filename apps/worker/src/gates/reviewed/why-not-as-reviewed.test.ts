import { describe, expect, test } from '@jest/globals';
import type { Deployment, DeploymentRecord } from '@nereid/domain/deployment';
import { aMergeReview, aPlan, deploymentAt, progressAs, REPOSITORY, withMade } from '@nereid/domain/testing';
import { whyNotAsReviewed, type AfterMerge } from './why-not-as-reviewed.ts';

const PLANNED_AT = '2026-01-31T14:00:00.000Z';
const NOW_MS = Date.parse('2026-01-31T15:00:00.000Z');
const DIGEST = 'a1'.repeat(32);
const TREE = 'd'.repeat(40);
const LANE = 'd0 applied';

const review = aMergeReview({ digest: DIGEST, tree: TREE, lane: LANE, at: '2026-01-31T14:30:00.000Z' });
const { body: reviewed } = review;

const root = { ...deploymentAt(1).root, name: 'network', planReview: 'before_merge' } as const;
const plan = aPlan({ digest: DIGEST, reviewRequired: false });

const preview: Deployment = {
  ...deploymentAt(1, { id: 'preview', root, order: reviewed.order, receivedAt: PLANNED_AT }),
  progress: { ...progressAs('planned', PLANNED_AT), plan },
};

const deployment = deploymentAt(2, { id: 'd2', root, trigger: 'merge', reviewed: { review } });

function after(more: Partial<AfterMerge> = {}): AfterMerge {
  const settled = { otherFiles: undefined, lane: LANE, last: undefined, ended: [], isAllowed: true, nowMs: NOW_MS };
  return { deployment, reviewed, preview, ...settled, ...more };
}

function anEnded(status: 'rejected' | 'skipped', endedAt: string, id = 'd1'): DeploymentRecord {
  const ended = deploymentAt(1, { id, progress: progressAs(status, endedAt) });
  return { version: 1, repository: REPOSITORY, deployment: ended, endedAt };
}

test('a plan is applied as it was reviewed when everything is so', () => {
  expect(whyNotAsReviewed(after())).toBeUndefined();
});

describe('a plan that was reviewed before the merge is not applied', () => {
  const last = { revision: { ...deployment.revision, sha: 'e'.repeat(40) } };

  test.each<[string, Partial<AfterMerge>, RegExp]>([
    ['for a deployment by hand', { deployment: { ...deployment, trigger: 'manual' } }, /^only a merge/],
    ['for a re-run', { deployment: { ...deployment, rerun: true } }, /^only a merge/],
    ["when the server's file asks for a review after the merge", { isAllowed: false }, /^the server's file now asks/],
    [
      'when it was reviewed more than a week ago',
      { reviewed: { ...reviewed, at: '2026-01-24T14:59:59.000Z' } },
      /7 days/,
    ],
    ['when nobody knows when it was reviewed', { reviewed: { ...reviewed, at: 'yesterday' } }, /7 days/],
    [
      'under a new name',
      { deployment: { ...deployment, formerly: { rootName: 'net' } } },
      /was deployed as net before/,
    ],
    ['when other files were merged', { otherFiles: 'other files were merged' }, /^other files were merged/],
    ['when its preview is gone', { preview: undefined }, /not kept any more/],
    ['when it is that of another preview', { preview: { ...preview, id: 'other' } }, /not kept any more/],
    ['when it was ordered otherwise', { preview: { ...preview, order: 'another order' } }, /not kept any more/],
    [
      'when another plan was made since',
      { preview: { ...preview, progress: { ...preview.progress, plan: withMade(plan, { digest: 'b2'.repeat(32) }) } } },
      /not kept any more/,
    ],
    [
      'when the settings of the root changed',
      { deployment: { ...deployment, root: { ...root, varFiles: ['prod.tfvars'] } } },
      /settings of this root have changed/,
    ],
    ['when the root was applied since', { lane: 'd1 applied', last }, /^eeeeeee was applied to this root since/],
    ['while nobody knows how an apply ended', { lane: undefined, last }, /^eeeeeee was applied to this root since/],
    [
      'when a deployment waited before it',
      { deployment: { ...deployment, reviewed: { review, ahead: 'd1' } } },
      /went first/,
    ],
    ['when one was rejected since', { ended: [anEnded('rejected', '2026-01-31T14:10:00.000Z')] }, /was to be, since/],
  ])('a reviewed plan is not applied after the merge %s', (_what, more, why) => {
    expect(whyNotAsReviewed(after(more))).toMatch(why);
  });
});

test.each([
  ['before it was planned', anEnded('rejected', '2026-01-31T13:59:00.000Z')],
  ['and was skipped', anEnded('skipped', '2026-01-31T14:10:00.000Z')],
])('a deployment that ended %s makes no difference', (_what, record) => {
  expect(whyNotAsReviewed(after({ ended: [record] }))).toBeUndefined();
});

test('limits of time, queue and permissions are no part of what was planned', () => {
  const other = { ...root, timeoutMs: { plan: 1, apply: 1 }, queue: 'newest', permissions: { confirm: [{}] } } as const;

  expect(whyNotAsReviewed(after({ deployment: { ...deployment, root: other } }))).toBeUndefined();
});
