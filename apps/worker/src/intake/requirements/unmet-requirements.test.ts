import { describe, expect, test } from '@jest/globals';
import type { PullRequest } from '@nereid/forge';
import { judgeRequirements, unmetAlways, type PullRequestFacts } from './unmet-requirements.ts';

const READY: PullRequest = {
  number: 7,
  state: 'open',
  merged: false,
  draft: false,
  title: 'Wider network',
  author: 'octocat',
  updatedAt: '2026-01-01T00:00:00Z',
  headSha: 'a'.repeat(40),
  headBranch: 'wider',
  baseSha: 'b'.repeat(40),
  baseBranch: 'main',
  defaultBranch: 'main',
  fromFork: false,
  mergeable: true,
};

describe('a pull request can be deployed by hand', () => {
  test('when it is open, ready, here, approved, mergeable and up to date', () => {
    expect(judge({})).toEqual({ kind: 'met' });
  });

  test('when its head is its base: then there is nothing to deploy, which the lane says', () => {
    expect(judge({ comparison: 'identical' })).toEqual({ kind: 'met' });
  });

  test('perhaps, while the forge has not worked out whether it can be merged', () => {
    expect(judge({}, { mergeable: null })).toEqual({ kind: 'undecided' });
  });
});

describe('a pull request cannot be deployed by hand', () => {
  test.each<[string, Partial<PullRequestFacts>, Partial<PullRequest>, string]>([
    ['is not open', {}, { state: 'closed', mergeable: null }, 'the pull request has to be open'],
    ['is a draft', {}, { draft: true }, 'mark it ready for review'],
    ['goes to another branch', { deployedBranch: 'trunk' }, {}, 'the base of the pull request has to be trunk'],
    ['is not approved', { approval: 'missing' }, {}, 'approved by somebody with write permission'],
    ['has unknown authors', { approval: 'missing of an admin' }, {}, 'approved by somebody with admin permission'],
    [
      'cannot be approved on this forge',
      { forge: 'Words', approval: 'unknowable' },
      {},
      'has to be approved, and Words cannot say who approved it: merge it, or have an admin deploy it without requirements (-f)',
    ],
    ['has conflicts', {}, { mergeable: false }, 'the pull request has conflicts with main: resolve them'],
    ['is behind its base', { comparison: 'behind' }, {}, 'the pull request is behind main: update its branch'],
    [
      'has commits and lacks some',
      { comparison: 'diverged' },
      {},
      'the pull request is behind main: update its branch',
    ],
    ['comes from a fork', {}, { fromFork: true }, 'plans of foreign code would run with our credentials'],
  ])('a pull request cannot be deployed by hand when it %s', (_what, facts, pullRequest, sentence) => {
    expect(judge(facts, pullRequest)).toEqual({ kind: 'unmet', sentences: [expect.stringContaining(sentence)] });
  });

  test('and each reason is named at once, also while the forge works out another', () => {
    const facts = { deployedBranch: 'trunk', approval: 'missing', comparison: 'diverged' } as const;

    const verdict = judge(facts, { state: 'closed', draft: true, fromFork: true, mergeable: null });

    expect(verdict).toMatchObject({ kind: 'unmet', sentences: { length: 6 } });
  });
});

test('-f never skips that code of a fork is not run, and nothing else', () => {
  expect(unmetAlways({ fromFork: true })).toEqual([expect.stringContaining('fork')]);
  expect(unmetAlways({ fromFork: false })).toEqual([]);
});

function judge(facts: Partial<PullRequestFacts>, pullRequest: Partial<PullRequest> = {}) {
  return judgeRequirements({
    forge: 'GitHub',
    pullRequest: { ...READY, ...pullRequest },
    deployedBranch: 'main',
    approval: 'given',
    comparison: 'ahead',
    ...facts,
  });
}
