import { expect, test } from '@jest/globals';
import type { BranchMove } from '@nereid/github';
import { peopleIn } from './pull-request-pushers.ts';

const NEVER = '0'.repeat(40);

/** The newest first. */
function moves(...given: readonly (readonly [before: string, after: string, by: string | undefined])[]): BranchMove[] {
  return given.map(([before, after, login]) => ({
    ...{ before, after, at: '', isMerge: login === 'merger' },
    by: login ? { login } : undefined,
  }));
}

function logins(given: readonly BranchMove[], inBase: readonly string[] = []): readonly string[] | undefined {
  return peopleIn(given, { headSha: 'head' }, new Set(inBase))?.people.map(({ login }) => login);
}

test('everybody who moved the branch since it was created has brought the pull request', () => {
  expect(logins(moves(['b', 'head', 'eve'], ['a', 'b', 'bob'], [NEVER, 'a', 'ada']))).toEqual(['eve', 'bob', 'ada']);
});

test('who deleted the branch, or made another of the same name, has not', () => {
  const given = moves([NEVER, 'x', 'ada'], ['head', NEVER, 'bob'], [NEVER, 'head', 'eve']);

  expect(logins(given)).toEqual(['eve']);
});

test('neither has anybody who moved it before it had only what its base has', () => {
  const given = moves(['c', 'head', 'eve'], ['b', 'c', 'bob'], ['a', 'b', 'ada']);

  expect(logins(given, ['b', 'a'])).toEqual(['eve', 'bob']);
});

test('somebody is unknown where the record does not go back to the creation, or lacks the head', () => {
  expect(logins(moves(['a', 'head', 'eve']))).toBeUndefined();
  expect(logins(moves([NEVER, 'a', 'eve']))).toBeUndefined();
});

test('an account that GitHub does not know any more is somebody unknown', () => {
  expect(peopleIn(moves([NEVER, 'head', undefined]), { headSha: 'head' }, new Set())).toEqual({
    people: [],
    hasUnknown: true,
    merges: [],
  });
});

test('the commits by which other pull requests came are told, so that their people can be asked for', () => {
  const given = moves(['b', 'head', 'eve'], ['a', 'b', 'merger'], [NEVER, 'a', 'ada']);

  expect(peopleIn(given, { headSha: 'head' }, new Set())?.merges).toEqual(['b']);
});
