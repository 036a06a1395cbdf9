import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';
import { CHECK, completeCheck, openPassing } from '../fixtures/passing.ts';
import { startGitHub } from '../start-github.ts';
import type { PullRequestRef } from '../github-actions.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const useQueue = (groupSize?: number) =>
  world.github.setBranchRules(REPOSITORY, 'main', {
    requiredChecks: [CHECK],
    mergeQueue: groupSize === undefined ? {} : { groupSize },
  });

async function enqueued(count: number): Promise<PullRequestRef[]> {
  const refs = await openPassing(world, count);
  for (const ref of refs) await world.github.enqueue(ref, 'max');
  return refs;
}

const groups = () => world.github.queueOf(REPOSITORY, 'main');

const numbers = () => groups().map(({ pullRequests }) => pullRequests);

function group(index: number) {
  const found = groups()[index];
  if (!found) throw new Error(`group ${index} was expected, found ${groups().length} groups`);
  return found;
}

const pass = (index: number) => completeCheck(world, group(index).headSha, 'success');

const fail = (index: number) => completeCheck(world, group(index).headSha, 'failure');

const mergedOf = (refs: readonly PullRequestRef[]) => refs.map((ref) => world.github.pullRequest(ref).merged !== null);

/** The group branches of these webhooks, with the reason if there is one. */
async function told(action: 'checks_requested' | 'destroyed'): Promise<string[]> {
  await world.github.settled();
  // Webhooks overtake each other on their way.
  return world.receiver
    .received(`merge_group.${action}`)
    .map(({ payload }) => {
      const [, number] = /\/pr-(\d+)-/.exec(String(at(payload, 'merge_group', 'head_ref'))) ?? [];
      return action === 'destroyed' ? `${String(number)} ${String(at(payload, 'reason'))}` : String(number);
    })
    .sort();
}

async function leftBecause(): Promise<string[]> {
  await world.github.settled();
  const left = world.receiver.received('pull_request.dequeued');
  return left.map(({ payload }) => `${String(at(payload, 'number'))} ${String(at(payload, 'reason'))}`).sort();
}

const groupBranches = async () => {
  const { body } = await world.api('GET', `/repos/${REPOSITORY}/branches`);
  const names = Array.isArray(body) ? body.map((branch) => String(at(branch, 'name'))) : [];
  return names.filter((name) => name.startsWith('gh-readonly-queue/'));
};

describe('enqueuing', () => {
  test('makes a group commit on the base and asks for checks, as GitHub does', async () => {
    await useQueue();
    const base = await world.github.headOf(REPOSITORY);
    const [ref] = await enqueued(1);
    await world.github.settled();

    const { branch, headSha } = group(0);
    expect(groups()).toEqual([{ branch, baseSha: base, headSha, pullRequests: [ref?.number] }]);
    expect(branch).toBe(`gh-readonly-queue/main/pr-${String(ref?.number)}-${base}`);
    expect(await world.github.headOf(REPOSITORY, branch)).toBe(headSha);
    expect(world.receiver.received('merge_group.checks_requested')[0]?.payload).toMatchObject({
      merge_group: {
        head_sha: headSha,
        head_ref: `refs/heads/${branch}`,
        base_sha: base,
        base_ref: 'refs/heads/main',
        head_commit: { id: headSha, message: expect.stringMatching(/^Merge pull request #1 from acme\/change-1/) },
      },
      sender: { login: 'github-merge-queue[bot]', type: 'Bot' },
      installation: {},
    });
    const pushes = world.receiver.received('push').map(({ payload }) => payload);
    expect(pushes).toContainEqual(
      expect.objectContaining({ ref: `refs/heads/${branch}`, created: true, after: headSha }),
    );
    expect(world.receiver.received('pull_request.enqueued')).toHaveLength(1);
  });

  test('makes each group on top of the one before', async () => {
    await useQueue();
    const [, , third] = await enqueued(3);

    const { body } = await world.api('GET', `/repos/${REPOSITORY}/compare/main...${group(2).headSha}`);
    expect(numbers()).toEqual([[1], [2], [3]]);
    expect(group(1).baseSha).toBe(group(0).headSha);
    expect(group(2).baseSha).toBe(group(1).headSha);
    expect(body).toMatchObject({
      files: [{ filename: 'change-1.tf' }, { filename: 'change-2.tf' }, { filename: 'change-3.tf' }],
    });
    expect(third?.number).toBe(3);
  });

  test('is refused without a queue, twice, before the checks of the pull request have passed, and with conflicts', async () => {
    const [ready] = await openPassing(world, 1);
    const readme = (branch: string, text: string) =>
      world.github.commit({
        repository: REPOSITORY,
        branch,
        files: { 'README.md': text },
        message: 'M',
        author: 'wim',
      });
    const head = await readme('conflict', 'one\n');
    const { number } = await world.github.openPullRequest({
      repository: REPOSITORY,
      title: 'C',
      head: 'conflict',
      author: 'wim',
    });
    const conflicting = { repository: REPOSITORY, number };
    if (!ready) throw new Error('a pull request was expected');

    await expect(world.github.enqueue(ready, 'max')).rejects.toThrow(/no merge queue/);
    await useQueue();
    await world.github.enqueue(ready, 'max');
    await expect(world.github.enqueue(ready, 'max')).rejects.toThrow(/already/);
    await expect(world.github.enqueue(conflicting, 'max')).rejects.toThrow(/nereid\/plan has not completed/);
    await completeCheck(world, head, 'success');
    await readme('main', 'other\n');
    await expect(world.github.enqueue(conflicting, 'max')).rejects.toThrow(/conflicts with main/);
  });

  test('of a pull request that conflicts with one before it ends at once', async () => {
    await useQueue();
    await enqueued(1);
    const files = { 'change-1.tf': 'another\n' };
    const sha = await world.github.commit({ repository: REPOSITORY, branch: 'x', files, message: 'X', author: 'wim' });
    await completeCheck(world, sha, 'success');
    const { number } = await world.github.openPullRequest({
      repository: REPOSITORY,
      title: 'X',
      head: 'x',
      author: 'wim',
    });

    await world.github.enqueue({ repository: REPOSITORY, number }, 'max');

    expect(numbers()).toEqual([[1]]);
    expect(await leftBecause()).toEqual(['2 MERGE_CONFLICT']);
  });
});

describe('a group whose checks have passed', () => {
  test('is merged when it is the first: base, pull request, branch and webhooks say so', async () => {
    await useQueue();
    const base = await world.github.headOf(REPOSITORY);
    const refs = await enqueued(1);
    const { headSha } = group(0);

    await pass(0);

    await world.github.settled();
    expect(await world.github.headOf(REPOSITORY)).toBe(headSha);
    expect(groups()).toEqual([]);
    expect(await groupBranches()).toEqual([]);
    expect(mergedOf(refs)).toEqual([true]);
    expect(world.receiver.received('pull_request.closed')[0]?.payload).toMatchObject({
      pull_request: { merged: true, merge_commit_sha: headSha },
    });
    const pushes = world.receiver.received('push').map(({ payload }) => payload);
    expect(pushes).toContainEqual(
      expect.objectContaining({ ref: 'refs/heads/main', before: base, after: headSha, forced: false }),
    );
    expect(await told('destroyed')).toEqual(['1 merged']);
    const { body } = await world.api('GET', `/repos/${REPOSITORY}/activity?ref=main`);
    expect(body).toMatchObject([{ activity_type: 'merge_queue_merge', after: headSha }]);
  });

  test('waits for the groups before it, and is then merged with them', async () => {
    await useQueue();
    const refs = await enqueued(3);
    const { headSha } = group(1);

    await pass(1);
    expect(mergedOf(refs)).toEqual([false, false, false]);

    await pass(0);
    expect(mergedOf(refs)).toEqual([true, true, false]);
    expect(await world.github.headOf(REPOSITORY)).toBe(headSha);
    expect(numbers()).toEqual([[3]]);
    expect(await told('checks_requested')).toEqual(['1', '2', '3']);
  });

  test('counts checks that were skipped or are neutral as passed, and the newest check run of a name only', async () => {
    await useQueue();
    const refs = await enqueued(2);

    await completeCheck(world, group(0).headSha, 'neutral');
    expect(mergedOf(refs)).toEqual([true, false]);

    const head_sha = group(0).headSha;
    await completeCheck(world, head_sha, 'success', 'another check');
    expect(mergedOf(refs)).toEqual([true, false]);
    await completeCheck(world, head_sha, 'skipped');
    expect(mergedOf(refs)).toEqual([true, true]);
  });

  test('is merged when its check run is completed later', async () => {
    await useQueue();
    const refs = await enqueued(1);
    const { headSha: head_sha } = group(0);
    const path = `/repos/${REPOSITORY}/check-runs`;
    const { body } = await world.api('POST', path, { name: CHECK, head_sha, status: 'in_progress' });
    expect(mergedOf(refs)).toEqual([false]);

    const answer = await world.api('PATCH', `${path}/${String(at(body, 'id'))}`, { conclusion: 'success' });

    expect(answer.body).toMatchObject({ conclusion: 'success' });
    expect(mergedOf(refs)).toEqual([true]);
  });
});

describe('a group that leaves', () => {
  test('because a check failed lets those before it alone and those behind it be made again', async () => {
    await useQueue();
    const refs = await enqueued(4);
    const before = groups();

    await fail(1);

    expect(numbers()).toEqual([[1], [3], [4]]);
    expect(group(0)).toEqual(before[0]);
    expect(group(1).baseSha).toBe(before[0]?.headSha);
    expect(group(2).baseSha).toBe(group(1).headSha);
    expect(await told('destroyed')).toEqual(['2 invalidated', '3 invalidated', '4 invalidated']);
    expect(await told('checks_requested')).toEqual(['1', '2', '3', '3', '4', '4']);
    expect(await leftBecause()).toEqual(['2 CI_FAILURE']);
    expect(await groupBranches()).toHaveLength(3);

    for (const next of [1, 3, 4]) {
      expect(numbers()[0]).toEqual([next]);
      await pass(0);
    }
    expect(mergedOf(refs)).toEqual([true, false, true, true]);
    const { body } = await world.api('GET', `/repos/${REPOSITORY}/compare/${String(before[0]?.baseSha)}...main`);
    expect(body).toMatchObject({
      files: [{ filename: 'change-1.tf' }, { filename: 'change-3.tf' }, { filename: 'change-4.tf' }],
    });
  });

  test('because somebody dequeued it says so; those behind are invalidated', async () => {
    await useQueue();
    const [first] = await enqueued(2);
    if (!first) throw new Error('a pull request was expected');

    await world.github.dequeue(first, 'wim');

    expect(numbers()).toEqual([[2]]);
    expect(group(0).baseSha).toBe(await world.github.headOf(REPOSITORY));
    expect(await told('destroyed')).toEqual(['1 dequeued', '2 invalidated']);
    expect(await leftBecause()).toEqual(['1 MANUAL']);
    expect(world.github.pullRequest(first).state).toBe('open');
    await expect(world.github.dequeue(first, 'wim')).rejects.toThrow(/in no merge queue/);
    await world.github.enqueue(first, 'wim');
    expect(numbers()).toEqual([[2], [1]]);
  });

  test('because its pull request was closed or has a new commit', async () => {
    await useQueue();
    const [first] = await enqueued(3);
    if (!first) throw new Error('a pull request was expected');
    const files = { 'more.tf': '' };

    await world.github.closePullRequest(first, 'wim');
    await world.github.commit({ repository: REPOSITORY, branch: 'change-3', files, message: 'More', author: 'wim' });

    expect(numbers()).toEqual([[2]]);
    expect(await told('destroyed')).toEqual(['1 dequeued', '2 invalidated', '3 dequeued', '3 invalidated']);
  });
});

describe('groups of several pull requests', () => {
  test('hold those that were enqueued while another group was in flight, and are merged together', async () => {
    await useQueue(5);
    const refs = await openPassing(world, 6);
    for (const ref of refs.slice(0, 5)) await world.github.enqueue(ref, 'max');
    expect(numbers()).toEqual([[1]]);

    const [, , , , , last] = refs;
    if (!last) throw new Error('six pull requests were expected');
    await world.github.enqueue(last, 'max');
    expect(numbers()).toEqual([[1], [2, 3, 4, 5, 6]]);
    await pass(0);
    const { headSha, branch } = group(0);
    await pass(0);

    expect(branch).toMatch(/\/pr-6-/);
    expect(mergedOf(refs)).toEqual([true, true, true, true, true, true]);
    expect(await world.github.headOf(REPOSITORY)).toBe(headSha);
    expect(await told('destroyed')).toEqual(['1 merged', '6 merged']);
    const merges = refs.map((ref) => world.github.pullRequest(ref).merged?.sha);
    expect(new Set(merges).size).toBe(6);
    expect(merges.at(-1)).toBe(headSha);
  });

  test('begin with fewer when nothing is in flight any more', async () => {
    await useQueue(5);
    await enqueued(3);

    await pass(0);

    expect(numbers()).toEqual([[2, 3]]);
  });

  test('leave together when their check fails; one that is dequeued leaves alone', async () => {
    await useQueue(3);
    const refs = await enqueued(4);
    const [, , third] = refs;
    if (!third) throw new Error('four pull requests were expected');

    await world.github.dequeue(third, 'max');
    expect(numbers()).toEqual([[1], [2, 4]]);
    await fail(1);

    expect(numbers()).toEqual([[1]]);
    expect(await leftBecause()).toEqual(['2 CI_FAILURE', '3 MANUAL', '4 CI_FAILURE']);
    expect(await told('destroyed')).toEqual(['4 dequeued', '4 invalidated']);
  });
});

describe('the base branch', () => {
  test('makes all groups begin again when somebody pushes to it', async () => {
    await useQueue();
    await enqueued(2);
    const { headSha: stale } = group(0);
    const files = { 'urgent.tf': '' };

    const base = await world.github.commit({
      repository: REPOSITORY,
      branch: 'main',
      files,
      message: 'U',
      author: 'ada',
    });

    expect(numbers()).toEqual([[1], [2]]);
    expect(group(0).baseSha).toBe(base);
    expect(await told('destroyed')).toEqual(['1 invalidated', '2 invalidated']);
    await completeCheck(world, stale, 'success');
    expect(await world.github.headOf(REPOSITORY)).toBe(base);
    await pass(0);
    expect(numbers()).toEqual([[2]]);
  });

  test('loses its queue with its rules', async () => {
    await useQueue();
    const [first] = await enqueued(2);
    if (!first) throw new Error('a pull request was expected');

    await world.github.setBranchRules(REPOSITORY, 'main', undefined);

    expect(groups()).toEqual([]);
    expect(await leftBecause()).toEqual(['1 QUEUE_CLEARED', '2 QUEUE_CLEARED']);
    await world.github.mergePullRequest(first, { kind: 'merge', by: 'max' });
    expect(mergedOf([first])).toEqual([true]);
  });
});

test('is still there after a restart, and goes on', async () => {
  await useQueue(2);
  const refs = await enqueued(2);
  const before = groups();
  const { headSha: head_sha } = group(0);
  await world.github.close();

  const again = await startGitHub({ ...world.options, port: Number(new URL(world.github.url).port) });
  try {
    expect(again.queueOf(REPOSITORY, 'main')).toEqual(before);
    await completeCheck(world, head_sha, 'success');
    expect(again.queueOf(REPOSITORY, 'main')).toMatchObject([{ baseSha: head_sha, pullRequests: [2] }]);
    expect(refs.map((ref) => again.pullRequest(ref).merged !== null)).toEqual([true, false]);
  } finally {
    await again.close();
  }
});
