import { describe, expect, test } from '@jest/globals';
import type { BranchMove } from '@nereid/forge';
import { pushersIn } from './pushers.ts';

const NEVER = '0'.repeat(40);

/** The newest first. */
function moves(...given: readonly (readonly [before: string, after: string, by: string | undefined])[]): BranchMove[] {
  return given.map(([before, after, login]) => ({
    ...{ before, after, at: '', isMerge: false },
    by: login ? { login } : undefined,
  }));
}

/** a – b – c – d, and b – x: the branch was at c, was forced to x, and back to d. */
const LINEAGE = new Map([
  ['d', ['c']],
  ['c', ['b']],
  ['x', ['b']],
  ['b', ['a']],
]);

function logins(given: readonly BranchMove[], sha: string, lineage = LINEAGE): readonly string[] | undefined {
  return pushersIn(given, lineage, [sha])
    .get(sha)
    ?.people.map(({ login }) => login);
}

describe('a commit was pushed', () => {
  const PUSHES = moves(['c', 'd', 'ada'], ['a', 'c', 'wim'], [NEVER, 'a', 'bob']);

  test('by whoever moved the branch to it, or past it', () => {
    expect(logins(PUSHES, 'c')).toEqual(['wim']);
    expect(logins(PUSHES, 'b')).toEqual(['wim']);
    expect(logins(PUSHES, 'd')).toEqual(['ada']);
  });

  test('also where git does not have the commits around it', () => {
    expect(logins(PUSHES, 'c', new Map())).toEqual(['wim']);
    expect(logins(PUSHES, 'b', new Map())).toBeUndefined();
  });

  test('by everybody who brought it back after a force-push, too', () => {
    const forced = moves(['x', 'd', 'eve'], ['c', 'x', 'ada'], ['a', 'c', 'wim']);

    expect(logins(forced, 'c')).toEqual(['eve', 'wim']);
    expect(logins(forced, 'b')).toEqual(['wim']);
  });

  test('by nobody whom the record names, where it does not go back so far', () => {
    expect(logins(moves(['c', 'd', 'ada']), 'b')).toBeUndefined();
  });
});

test.each([
  ['by an account that GitHub does not know any more', undefined],
  ['by an App, on whose behalf GitHub does not say', 'ci[bot]'],
])('a commit that was pushed %s was brought by somebody unknown', (_whom, login) => {
  expect(pushersIn(moves(['a', 'b', login]), LINEAGE, ['b']).get('b')?.hasUnknown).toBe(true);
});
