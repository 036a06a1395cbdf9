import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';

let world: AGitHub;
let head: string;
let pr: { readonly repository: string; readonly number: number };

beforeEach(async () => {
  world = await aGitHub();
  head = await commit('a');
  const { number } = await world.github.openPullRequest({
    repository: REPOSITORY,
    title: 'Add files',
    head: 'feature',
    author: 'wim',
  });
  pr = { repository: REPOSITORY, number };
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const commit = (text: string) =>
  world.github.commit({
    repository: REPOSITORY,
    branch: 'feature',
    files: { 'a.tf': text },
    message: text,
    author: 'wim',
  });

const reviews = async () => (await world.api('GET', `/repos/${REPOSITORY}/pulls/${pr.number}/reviews`)).body;

test('a pull request cannot be approved by its author', async () => {
  await expect(world.github.approve(pr, 'wim')).rejects.toThrow(/their own/);
});

test('reviews are listed oldest first, each with the commit that was looked at', async () => {
  await world.github.approve(pr, 'max');
  const next = await commit('b');
  await world.github.review(pr, { state: 'CHANGES_REQUESTED', by: 'ada', body: 'No' });

  expect(await reviews()).toMatchObject([
    { state: 'APPROVED', user: { login: 'max' }, commit_id: head },
    { state: 'CHANGES_REQUESTED', user: { login: 'ada' }, commit_id: next },
  ]);
});

test('a review that is dismissed stays in its place, and the App hears of it', async () => {
  await world.github.approve(pr, 'max');
  await world.github.review(pr, { state: 'COMMENTED', by: 'max' });

  await world.github.dismissReview(pr, { of: 'max', by: 'ada' });

  await world.github.settled();
  expect(await reviews()).toMatchObject([{ state: 'DISMISSED' }, { state: 'COMMENTED' }]);
  expect(world.receiver.received('pull_request_review.dismissed')[0]?.payload).toMatchObject({
    review: { state: 'dismissed', user: { login: 'max' } },
    sender: { login: 'ada' },
  });
  await expect(world.github.dismissReview(pr, { of: 'max', by: 'ada' })).rejects.toThrow(/no review of max/);
});
