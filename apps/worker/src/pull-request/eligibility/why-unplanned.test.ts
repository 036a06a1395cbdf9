import { describe, expect, test } from '@jest/globals';
import { whyUnplanned, type Candidate } from './why-unplanned.ts';

const HEAD = 'a'.repeat(40);
const OLDER = 'b'.repeat(40);
const SAME = { fromFork: false, draft: false, headSha: HEAD };
const FORK = { ...SAME, fromFork: true };
const DRAFT = { ...SAME, draft: true };
const TAKES_COMMAND = 'A fork: somebody with write permission comments `nereid plan`';

function titleOf(pullRequest: Candidate['pullRequest'], asked?: string, forkPlans: 'never' | 'on_command' = 'never') {
  const request = asked === undefined ? undefined : { requestId: 'r', headSha: asked, rootNames: [], by: 'a', at: '' };
  const record = request === undefined ? {} : { asked: request };
  return whyUnplanned({ policy: { forkPlans }, pullRequest, record, commentName: 'nereid' })?.title;
}

describe('a pull request', () => {
  test('of the same repository is planned by itself', () => {
    expect(titleOf(SAME)).toBeUndefined();
  });

  test('that is a draft is planned on command, and not its next head', () => {
    expect(titleOf(DRAFT)).toBe('A draft: comment `nereid plan` for a plan');
    expect(titleOf(DRAFT, HEAD)).toBeUndefined();
    expect(titleOf(DRAFT, OLDER)).toBe('A draft: comment `nereid plan` for a plan');
  });

  test('from a fork is never planned, whatever was asked', () => {
    expect(titleOf(FORK)).toBe('A fork: nothing was planned');
    expect(titleOf(FORK, HEAD)).toBe('A fork: nothing was planned');
  });

  test('from a fork is planned on command where the server allows that: exactly the head that was asked for', () => {
    expect(titleOf(FORK, undefined, 'on_command')).toBe(TAKES_COMMAND);
    expect(titleOf(FORK, HEAD, 'on_command')).toBeUndefined();
    expect(titleOf(FORK, OLDER, 'on_command')).toBe(TAKES_COMMAND);
    expect(titleOf({ ...FORK, draft: true }, HEAD, 'on_command')).toBeUndefined();
  });
});
