import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';
import { CHECK, completeCheck, openPassing } from '../fixtures/passing.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const useQueue = (groupSize = 1) =>
  world.github.setBranchRules(REPOSITORY, 'main', { requiredChecks: [CHECK], mergeQueue: { groupSize } });

describe('branch rules', () => {
  test('refuse a merge and name the required checks that have not passed', async () => {
    await world.github.setBranchRules(REPOSITORY, 'main', { requiredChecks: ['lint', CHECK, 'docs'] });
    const files = { 'a.tf': '' };
    const sha = await world.github.commit({ repository: REPOSITORY, branch: 'a', files, message: 'A', author: 'wim' });
    const { number } = await world.github.openPullRequest({
      repository: REPOSITORY,
      title: 'A',
      head: 'a',
      author: 'wim',
    });
    const ref = { repository: REPOSITORY, number };
    const merge = () => world.github.mergePullRequest(ref, { kind: 'merge', by: 'max' });
    const state = async () =>
      at((await world.api('GET', `/repos/${REPOSITORY}/pulls/${number}`)).body, 'mergeable_state');
    await completeCheck(world, sha, 'success', 'docs');
    await completeCheck(world, sha, 'failure', 'lint');

    await expect(merge()).rejects.toThrow(
      `main requires checks that #${number} has not passed: lint failed, ${CHECK} has not completed`,
    );
    expect(await state()).toBe('blocked');

    await completeCheck(world, sha, 'success', 'lint');
    await completeCheck(world, sha, 'skipped');
    expect(await state()).toBe('clean');
    await merge();
    expect([world.github.pullRequest(ref).merged !== null]).toEqual([true]);
  });

  test('with a merge queue refuse a merge that goes around it', async () => {
    await useQueue();
    const [ref] = await openPassing(world, 1);
    if (!ref) throw new Error('a pull request was expected');

    await expect(world.github.mergePullRequest(ref, { kind: 'merge', by: 'max' })).rejects.toThrow(/merge queue only/);
  });

  test.each([0, 6, 1.5])('refuse groups of %s', async (groupSize) => {
    await expect(useQueue(groupSize)).rejects.toThrow(`a group has 1 to 5 pull requests, found ${groupSize}`);
  });

  test('show on the branch', async () => {
    await useQueue();

    const { body } = await world.api('GET', `/repos/${REPOSITORY}/branches`);

    expect(body).toMatchObject([{ name: 'main', protected: true }]);
    expect((await world.api('GET', `/repos/${REPOSITORY}/branches/main`)).body).toMatchObject({
      protected: true,
      protection: { enabled: true, required_status_checks: { contexts: [CHECK] } },
    });
  });

  test('with a merge queue leave its branches to the queue', async () => {
    await useQueue();
    const [ref] = await openPassing(world, 1);
    if (!ref) throw new Error('a pull request was expected');
    await world.github.enqueue(ref, 'max');
    const branch = world.github.queueOf(REPOSITORY, 'main')[0]?.branch ?? '';
    const to = await world.github.headOf(REPOSITORY);

    const push = world.github.forcePush({ repository: REPOSITORY, branch, to, by: 'ada' });

    await expect(push).rejects.toThrow(/only the merge queue writes to gh-readonly-queue/);
  });
});
