import { describe, expect, test } from '@jest/globals';
import type { BranchMove, ReadMoves } from '@nereid/forge';
import { peopleIn } from './pull-request-pushers.ts';

const NEVER = '0'.repeat(40);

/** The newest first. */
function moves(...given: readonly (readonly [before: string, after: string, by: string | undefined])[]): BranchMove[] {
  return given.map(([before, after, login]) => ({
    ...{ before, after, at: '', isMerge: login === 'merger' },
    by: login ? { login } : undefined,
  }));
}

function brought(read: ReadMoves, inBase: readonly string[] = []) {
  return peopleIn(read, { headSha: 'head' }, new Set(inBase));
}

function logins(given: readonly BranchMove[], inBase: readonly string[] = []): readonly string[] | undefined {
  return brought({ moves: given, isWhole: true }, inBase)?.people.map(({ login }) => login);
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
  expect(brought({ moves: moves([NEVER, 'head', undefined]), isWhole: true })).toEqual({
    people: [],
    hasUnknown: true,
    merges: [],
  });
});

test('the commits by which other pull requests came are told, so that their people can be asked for', () => {
  const given = moves(['b', 'head', 'eve'], ['a', 'b', 'merger'], [NEVER, 'a', 'ada']);

  expect(brought({ moves: given, isWhole: true })?.merges).toEqual(['b']);
});

describe('a branch that was deleted and restored', () => {
  test('has what was pushed before, by whoever did', () => {
    const given = moves([NEVER, 'head', 'bob'], ['head', NEVER, 'zoe'], ['a', 'head', 'eve'], [NEVER, 'a', 'bob']);

    expect(logins(given)).toEqual(['bob', 'eve']);
  });

  test('has it however often, and wherever it went on from there', () => {
    const last = moves(['c', 'head', 'ada'], [NEVER, 'c', 'bob'], ['c', NEVER, 'bob'], [NEVER, 'c', 'bob']);
    const before = moves(['c', NEVER, 'eve'], ['b', 'c', 'eve'], [NEVER, 'b', 'tim'], ['b', NEVER, 'tim']);
    const given = [...last, ...before, ...moves([NEVER, 'b', 'sue'])];

    expect(new Set(logins(given))).toEqual(new Set(['ada', 'bob', 'eve', 'tim', 'sue']));
  });

  test('has nothing of another one of the same name', () => {
    const restored = moves([NEVER, 'head', 'bob'], ['x', NEVER, 'zoe'], [NEVER, 'x', 'zoe'], ['head', NEVER, 'eve']);
    const given = [...restored, ...moves([NEVER, 'head', 'eve'], ['y', NEVER, 'tim'], [NEVER, 'y', 'tim'])];

    expect(logins(given)).toEqual(['bob', 'eve']);
  });

  test('has brought nothing with a commit of its base', () => {
    const given = moves(['a', 'head', 'bob'], [NEVER, 'a', 'bob'], ['a', NEVER, 'eve'], [NEVER, 'a', 'eve']);

    expect(logins(given, ['a'])).toEqual(['bob']);
  });

  test.each([
    ['older moves were not read', { moves: moves([NEVER, 'head', 'bob']), isWhole: false }],
    ['the record lacks them', { moves: moves([NEVER, 'head', 'bob'], ['a', NEVER, 'eve']), isWhole: true }],
    [
      'the record lacks the first creation',
      { moves: moves([NEVER, 'head', 'bob'], ['head', NEVER, 'eve'], ['a', 'head', 'eve']), isWhole: true },
    ],
  ])('has somebody unknown where %s', (_why, read) => {
    expect(brought(read)).toBeUndefined();
  });
});
