import { describe, expect, test } from '@jest/globals';
import type { Deployment, PreviewParents } from '@nereid/domain/deployment';
import type { PullRequestLook } from '@nereid/domain/pull-request';
import { deploymentAt, progressAs, aPlan, withMade } from '@nereid/domain/testing';
import { whyNotForMerge, type BeforeMerge } from './why-not-for-merge.ts';

const AT = '2026-01-31T14:00:00.000Z';
const DIGEST = 'a1'.repeat(32);
const HEAD = 'b'.repeat(40);
const LANE = 'd0 applied';

const parents: PreviewParents = {
  headSha: HEAD,
  baseSha: 'c'.repeat(40),
  expiresAt: '2026-01-31T15:00:00.000Z',
  forMerge: { tree: 'd'.repeat(40), lane: LANE },
};
const { made } = aPlan({ digest: DIGEST });
const plan = { made: { ...made, signature: `header..${'Zx_-'.repeat(22).slice(0, 85)}A` }, reviewRequired: false };
const unsigned = { ...plan, made: { ...made, signature: '' } };
const BUTTON = { kind: 'merge', mark: 'Zx_-'.repeat(3) } as const;
const DENIAL = { name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [] } as const;
const preview: Deployment = {
  ...deploymentAt(1, { id: 'preview', trigger: 'preview', preview: parents, pullRequest: 12 }),
  progress: { ...progressAs('planned', AT), plan },
};
const pullRequest = { number: 12, state: 'open', merged: false, headSha: HEAD, fromFork: false } as const;
const look: PullRequestLook = {
  isOpen: true,
  headSha: HEAD,
  baseBranch: 'main',
  at: AT,
  previews: [{ rootName: 'network', deploymentId: 'preview' }],
};

function before(more: Partial<BeforeMerge> = {}): BeforeMerge {
  return { preview, button: BUTTON, pullRequest, look, lane: LANE, isAllowed: true, ...more };
}

test('the plan that a pull request shows can be confirmed for its merge', () => {
  expect(whyNotForMerge(before())).toBeUndefined();
});

describe('a plan cannot be confirmed for the merge', () => {
  const { forMerge: _none, ...unkept } = parents;
  const contains = {
    ...look,
    previews: [{ rootName: 'network', deploymentId: 'preview', ahead: 'e'.repeat(40) }],
  };
  const outdated = {
    ...look,
    previews: [{ rootName: 'network', deploymentId: 'preview', outdatedBy: 'e'.repeat(40) }],
  };

  test.each<[string, Partial<BeforeMerge>, RegExp]>([
    ['that was not kept for it', { preview: { ...preview, preview: unkept } }, /reviewed after the merge/],
    ["when the server's file asks for a review after it", { isAllowed: false }, /reviewed after the merge/],
    [
      'that has no changes',
      { preview: changed({ plan: withMade(plan, { hasChanges: false }) }) },
      /no plan with changes/,
    ],
    ['that is not made yet', { preview: changed({ status: 'planning' }) }, /no plan with changes/],
    ['whose host signed another one', { button: { kind: 'merge', mark: 'b'.repeat(12) } }, /for another plan/],
    ['that no host signed', { preview: changed({ plan: unsigned }) }, /for another plan/],
    [
      'that a policy denies',
      { preview: changed({ plan: withMade(plan, { policies: [DENIAL] }) }) },
      /the policy cost denies/,
    ],
    ['of a fork', { pullRequest: { ...pullRequest, fromFork: true } }, /forks/],
    ['that is merged', { pullRequest: { ...pullRequest, state: 'closed', merged: true } }, /merged already/],
    ['of a pull request that is closed', { pullRequest: { ...pullRequest, state: 'closed' } }, /^#12 is closed/],
    ['of an older head', { pullRequest: { ...pullRequest, headSha: 'f'.repeat(40) } }, /^fffffff was pushed since/],
    ['that a newer one has replaced', { look: { ...look, previews: [] } }, /newer plan of this root/],
    ['of a pull request that is not looked after', { look: undefined }, /newer plan of this root/],
    ['that contains what is not deployed', { look: contains }, /^eeeeeee was merged and is not deployed yet/],
    ['that its base has outdated', { look: outdated }, /^eeeeeee was merged since/],
    ['of a pull request at rest', { look: { ...look, notRenewed: 'idle' } }, /may be out of date/],
    ['whose root was applied since', { lane: 'd1 applied' }, /applied since/],
    ['while an apply of its root is under way', { lane: undefined }, /applied since/],
  ])('a plan cannot be confirmed for the merge %s', (_what, more, why) => {
    expect(whyNotForMerge(before(more))).toMatch(why);
  });
});

function changed(progress: Partial<Deployment['progress']>): Deployment {
  return { ...preview, progress: { ...preview.progress, ...progress } };
}
