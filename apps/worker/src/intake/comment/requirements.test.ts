import { describe, expect, test } from '@jest/globals';
import type { PullRequest } from '@nereid/github';
import { unmetRequirements } from './requirements.ts';

const READY: PullRequest = {
  number: 7,
  state: 'open',
  merged: false,
  draft: false,
  title: 'Wider network',
  author: 'octocat',
  headSha: 'a'.repeat(40),
  headBranch: 'wider',
  baseSha: 'b'.repeat(40),
  baseBranch: 'main',
  fromFork: false,
  mergeable: true,
};

describe('unmetRequirements', () => {
  test('a pull request that is open, ready and here meets them all', () => {
    const unmet = unmetRequirements(READY, 'main');

    expect(unmet).toEqual([]);
  });

  test('each that is not met is named', () => {
    const unmet = unmetRequirements({ ...READY, state: 'closed', draft: true, fromFork: true }, 'trunk');

    expect(unmet).toHaveLength(4);
  });

  test('an admin skips them with -f, but code from a fork is never run', () => {
    const unmet = unmetRequirements({ ...READY, draft: true, fromFork: true }, 'trunk', true);

    expect(unmet).toEqual([expect.stringContaining('fork')]);
  });
});
