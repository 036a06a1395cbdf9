import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

test('a comment that a person deletes is gone, whoever wrote it, and the App hears of it', async () => {
  const { github } = world;
  const change = { repository: REPOSITORY, author: 'wim' };
  await github.commit({ ...change, branch: 'feature', files: { 'a.tf': 'a' }, message: 'a' });
  const { number } = await github.openPullRequest({ ...change, title: 'Add files', head: 'feature' });
  const pr = { repository: REPOSITORY, number };
  const path = `/repos/${REPOSITORY}/issues/${number}/comments`;
  await world.api('POST', path, { body: 'by the App' });
  const kept = github.comment(pr, 'wim', 'by a person');
  const [ours] = github.comments(pr);

  github.deleteComment(pr, ours?.id ?? 0, 'max');

  await github.settled();
  expect((await world.api('GET', path)).body).toMatchObject([{ id: kept.id, body: 'by a person' }]);
  const address = `/repos/${REPOSITORY}/issues/comments/${ours?.id}`;
  expect((await world.api('PATCH', address, { body: 'again' })).status).toBe(404);
  expect(world.receiver.received('issue_comment.deleted')[0]?.payload).toMatchObject({
    comment: { id: ours?.id, body: 'by the App' },
    sender: { login: 'max' },
  });
  expect(() => {
    github.deleteComment(pr, ours?.id ?? 0, 'max');
  }).toThrow(/no comment/);
});
