import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const commit = (branch: string, files: Record<string, string | null>, message = 'Change') =>
  world.github.commit({ repository: REPOSITORY, branch, files, message, author: 'wim' });

const open = (head = 'feature') =>
  world.github.openPullRequest({ repository: REPOSITORY, title: 'Add files', head, author: 'wim' });

const parentsOf = async (sha: string): Promise<unknown[]> => {
  const { body } = await world.api('GET', `/repos/${REPOSITORY}/commits/${sha}`);
  const parents = at(body, 'parents');
  return Array.isArray(parents) ? parents.map((parent) => at(parent, 'sha')) : [];
};

describe('merging', () => {
  test('with a merge commit keeps both histories and pushes to the base', async () => {
    const base = await world.github.headOf(REPOSITORY);
    const head = await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();

    const sha = await world.github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'merge', by: 'max' });

    await world.github.settled();
    expect(await parentsOf(sha)).toEqual([base, head]);
    expect(await world.github.headOf(REPOSITORY)).toBe(sha);
    expect(world.receiver.received('push').at(-1)?.payload).toMatchObject({
      ref: 'refs/heads/main',
      before: base,
      after: sha,
      sender: { login: 'max' },
      head_commit: { id: sha, added: ['a.tf'] },
    });
    expect(world.receiver.received('pull_request.closed')[0]?.payload).toMatchObject({
      pull_request: { merged: true, merge_commit_sha: sha, merged_by: { login: 'max' } },
    });
  });

  test('by squashing makes one commit of several', async () => {
    const base = await world.github.headOf(REPOSITORY);
    await commit('feature', { 'a.tf': 'a' });
    await commit('feature', { 'b.tf': 'b' });
    const { number } = await open();

    const sha = await world.github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'squash', by: 'max' });

    const { body } = await world.api('GET', `/repos/${REPOSITORY}/commits/${sha}`);
    expect(body).toMatchObject({ parents: [{ sha: base }], files: [{ filename: 'a.tf' }, { filename: 'b.tf' }] });
  });

  test('by rebasing puts each commit on the base', async () => {
    await commit('feature', { 'a.tf': 'a' }, 'One');
    await commit('feature', { 'b.tf': 'b' }, 'Two');
    const base = await commit('main', { 'c.tf': 'c' });
    const { number } = await open();

    const sha = await world.github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'rebase', by: 'max' });

    const { body } = await world.api('GET', `/repos/${REPOSITORY}/compare/${base}...${sha}`);
    expect(body).toMatchObject({
      status: 'ahead',
      commits: [
        { commit: { message: 'One', author: { name: 'wim' }, committer: { name: 'max' } } },
        { commit: { message: 'Two' } },
      ],
    });
  });

  test('is refused when there are conflicts, which the pull request says before', async () => {
    await commit('feature', { 'README.md': 'one\n' });
    await commit('main', { 'README.md': 'other\n' });
    const { number } = await open();

    const { body } = await world.api('GET', `/repos/${REPOSITORY}/pulls/${number}`);
    const merge = world.github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'merge', by: 'max' });

    await expect(merge).rejects.toThrow(/conflicts/);
    expect(body).toMatchObject({ mergeable: false, mergeable_state: 'dirty' });
  });

  test('can delete the branch with the change', async () => {
    await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();
    const ref = { repository: REPOSITORY, number };

    await world.github.mergePullRequest(ref, { kind: 'merge', by: 'max', deleteBranch: true });

    await expect(world.github.headOf(REPOSITORY, 'feature')).rejects.toThrow(/no branch feature/);
  });
});

describe('a pull request', () => {
  test('follows its branch', async () => {
    const before = await commit('feature', { 'a.tf': 'a' });
    await open();

    const after = await commit('feature', { 'a.tf': 'b' });

    await world.github.settled();
    expect(world.receiver.received('pull_request.synchronize')[0]?.payload).toMatchObject({
      before,
      after,
      pull_request: { head: { sha: after } },
    });
  });

  test('counts as merged when its commits are pushed to the base', async () => {
    const head = await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();

    await world.github.forcePush({ repository: REPOSITORY, branch: 'main', to: head, by: 'max' });

    expect(world.github.pullRequest({ repository: REPOSITORY, number }).merged).toMatchObject({ by: 'max' });
  });

  test('that is behind its base is brought up to date with it', async () => {
    await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();
    const base = await commit('main', { 'b.tf': 'b' });
    const status = async () => {
      const { headSha } = world.github.pullRequest({ repository: REPOSITORY, number });
      return at((await world.api('GET', `/repos/${REPOSITORY}/compare/main...${headSha}`)).body, 'status');
    };
    const before = await status();

    const head = await world.github.updateBranch({ repository: REPOSITORY, number }, 'max');

    expect(before).toBe('diverged');
    expect(await status()).toBe('ahead');
    expect(await parentsOf(head)).toContain(base);
    expect(world.github.pullRequest({ repository: REPOSITORY, number }).headSha).toBe(head);
  });

  test('says at first that nobody has worked out yet whether it can be merged, where that is switched on', async () => {
    await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();
    world.github.faults.add({ kind: 'mergeability unknown', times: 1 });
    const read = () => world.api('GET', `/repos/${REPOSITORY}/pulls/${number}`);

    expect((await read()).body).toMatchObject({ mergeable: null, mergeable_state: 'unknown' });
    expect((await read()).body).toMatchObject({ mergeable: true, mergeable_state: 'clean' });
  });

  test('lists its comments oldest first, since a time when asked so', async () => {
    await commit('feature', { 'a.tf': 'a' });
    const { number } = await open();
    for (const body of ['one', 'two']) world.github.comment({ repository: REPOSITORY, number }, 'wim', body);
    const path = `/repos/${REPOSITORY}/issues/${number}/comments`;

    const all = await world.api('GET', path);
    const later = await world.api('GET', `${path}?since=${new Date(Date.now() + 60_000).toISOString()}`);

    expect(all.body).toMatchObject([{ body: 'one' }, { body: 'two' }]);
    expect(later.body).toEqual([]);
  });
});
