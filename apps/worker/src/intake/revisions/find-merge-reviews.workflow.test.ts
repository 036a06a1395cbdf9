import { expect, jest, test } from '@jest/globals';
import type { Root } from '@nereid/domain/root';
import type { MergeReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aMergeReview, deploymentAt } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND } from '../testing/staged-repository.ts';
import { findMergeReviews } from './find-merge-reviews.ts';

const stage = intakeStageOfThisFile();

const NAMES = ['cdn', 'dns', 'network'];
const ROOTS: readonly Root[] = NAMES.map((name) => ({ ...deploymentAt(1).root, name, planReview: 'before_merge' }));

function aReview(rootName: string, pullRequest: number, atMs: number): Signed<MergeReview> {
  const at = new Date(atMs).toISOString();
  // Other files than those that were merged.
  return aMergeReview({ rootName, pullRequest, previewId: `p-${pullRequest}`, tree: 'e'.repeat(40), at });
}

test('however many roots are merged at once, GitHub is asked once for the merge and for each pull request', async () => {
  const { context } = stage;
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const { repository } = infra;
  const [other, opened] = [await infra.pullRequest({ 'a.md': '' }), await infra.pullRequest({ 'b.md': '' })];
  await stage.standIn.mergePullRequest(infra.at(opened), { kind: 'squash', by: 'ada' });
  const now = Date.now();
  for (const name of NAMES) {
    // The newest is asked for first.
    await context.mergeReviews.open(repository, aReview(name, other.number, now));
    await context.mergeReviews.open(repository, aReview(name, opened.number, now - 60_000));
  }
  const ofMerge = jest.spyOn(context.forge.commits, 'pullRequests');
  const ofNumber = jest.spyOn(context.forge.pullRequests, 'get');

  const merge = { repository, sha: await infra.head(), source: 'd2', position: 2 };
  const found = await findMergeReviews({ context, signal: new AbortController().signal }, merge, ROOTS);

  expect([...found.values()].map(({ review }) => [review.body.rootName, review.body.pullRequest])).toEqual(
    NAMES.map((name) => [name, opened.number]),
  );
  expect(ofMerge).toHaveBeenCalledTimes(1);
  expect(ofNumber.mock.calls.map(([, number]) => number)).toEqual([other.number, opened.number]);
});
