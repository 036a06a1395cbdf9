import { describe, expect, test } from '@jest/globals';
import { PERMISSIONS } from '@nereid/forge';
import { mayDo, type Question } from './permission-rule.ts';

const NOT_AUTHOR = [{ notAuthor: true }] as const;

describe('without a rule', () => {
  test.each(
    PERMISSIONS.map((permission) => [permission, ['write', 'maintain', 'admin'].includes(permission)] as const),
  )('somebody with %s may confirm: %s', (permission, may) => {
    expect(mayDo(aQuestion({ permission })).kind === 'yes').toBe(may);
  });

  test('skipping requirements takes an admin', () => {
    expect(mayDo(aQuestion({ action: 'apply_force', permission: 'maintain' })).kind).toBe('no');
    expect(mayDo(aQuestion({ action: 'apply_force', permission: 'admin' })).kind).toBe('yes');
  });
});

describe('every part of a rule must hold', () => {
  test('a person without its permission may not act', () => {
    expect(mayDo(aQuestion({ rules: [{ permission: 'maintain' }] })).kind).toBe('no');
  });

  test('its teams, one of which suffices', () => {
    const rules = [{ teams: ['acme/sre', 'acme/network'] }];

    expect(mayDo(aQuestion({ rules })).kind).toBe('no');
    expect(mayDo(aQuestion({ rules, teams: ['Acme/Network'] })).kind).toBe('yes');
  });

  test('only its users may act, whatever the case of their names', () => {
    expect(mayDo(aQuestion({ rules: [{ users: ['carol'] }] })).kind).toBe('no');
    expect(mayDo(aQuestion({ rules: [{ users: ['Bob'] }] })).kind).toBe('yes');
  });

  test('not having brought the change, whatever the case of the name', () => {
    const contributors = { people: [{ login: 'alice' }, { login: 'BOB' }], hasUnknown: false };

    expect(mayDo(aQuestion({ rules: NOT_AUTHOR, contributors }))).toMatchObject({
      sentence: expect.stringContaining('it takes somebody who did not bring this change; ask a colleague'),
    });
  });

  test.each([
    ['the same person under a new login is refused', { login: 'bob', id: 7 }, { login: 'bobby', id: 7 }, 'no'],
    ['an account that took over the login is somebody else', { login: 'bob', id: 7 }, { login: 'bob', id: 8 }, 'yes'],
    ['where only the asker has an id, logins count', { login: 'bob' }, { login: 'Bob', id: 7 }, 'no'],
    ['where only the contributor has an id, logins count', { login: 'bob', id: 7 }, { login: 'Bob' }, 'no'],
  ])('not having brought the change: %s', (_what, contributor, asker, answer) => {
    const contributors = { people: [contributor], hasUnknown: false };

    expect(mayDo(aQuestion({ rules: NOT_AUTHOR, contributors, ...asker })).kind).toBe(answer);
  });

  test('its users, by login, whatever their ids', () => {
    expect(mayDo(aQuestion({ rules: [{ users: ['bob'] }], id: 8 })).kind).toBe('yes');
  });

  test('where an author is not known, being an admin who is none of the known ones', () => {
    const contributors = { people: [{ login: 'alice' }], hasUnknown: true };
    const ask = (more: Partial<Question>) => mayDo(aQuestion({ rules: NOT_AUTHOR, contributors, ...more })).kind;

    expect(ask({ permission: 'maintain' })).toBe('no');
    expect(ask({ permission: 'admin' })).toBe('yes');
    expect(ask({ permission: 'admin', login: 'alice' })).toBe('no');
  });

  test('and the default permission where it names none: anybody can comment', () => {
    expect(mayDo(aQuestion({ rules: [{ notAuthor: true }], permission: 'read' })).kind).toBe('no');
    expect(mayDo(aQuestion({ rules: [{ users: ['bob'] }], permission: 'none' })).kind).toBe('no');
  });
});

describe('of several rules', () => {
  const rules = [{ teams: ['acme/sre'], permission: 'maintain' }, { teams: ['acme/network'] }] as const;

  test('each must hold', () => {
    const permission = 'maintain';

    expect(mayDo(aQuestion({ rules, permission, teams: ['acme/sre'] }))).toMatchObject({
      sentence: expect.stringContaining('it takes a member of acme/network; ask one of them'),
    });
    expect(mayDo(aQuestion({ rules, permission, teams: ['acme/sre', 'acme/network'] })).kind).toBe('yes');
  });

  test('the highest permission counts', () => {
    expect(mayDo(aQuestion({ rules, teams: ['acme/sre', 'acme/network'] }))).toMatchObject({
      sentence: expect.stringContaining('it takes maintain permission'),
    });
  });
});

test('a refusal says who, what, what it takes, what was found and what to do', () => {
  expect(mayDo(aQuestion({ permission: 'read' }))).toEqual({
    kind: 'no',
    sentence:
      '@bob may not confirm this: it takes write permission on the repository, @bob has read; ask somebody who has it',
  });
});

test.each([
  [['acme/sre', 'acme/ghosts'], 'GitHub has no team acme/ghosts: ask the operator of Nereid to correct the rule'],
  [['acme/ghosts'], 'GitHub has no such team: ask the operator of Nereid to correct the rule'],
])('a rule that names a team which is not there says so: %j', (teams, ending) => {
  const decision = mayDo(aQuestion({ rules: [{ teams }], missingTeams: ['acme/ghosts'] }));

  expect(decision).toMatchObject({ kind: 'no', sentence: expect.stringMatching(new RegExp(`; ${ending}$`)) });
});

test('a rule that takes a team is refused where the forge has none: nobody meets it', () => {
  const rules = [{ teams: ['acme/sre'] }];

  expect(mayDo(aQuestion({ forge: 'Words', rules, permission: 'admin', hasTeams: false }))).toEqual({
    kind: 'no',
    sentence:
      '@bob may not confirm this: it takes a member of acme/sre; Words cannot say who is in a team: ask the operator of Nereid for a rule that names users or a permission',
  });
});

test('who has no permission is told that Nereid may not see it', () => {
  expect(mayDo(aQuestion({ permission: 'none' }))).toMatchObject({
    sentence: expect.stringContaining('@bob has none that Nereid can see; ask somebody who has it'),
  });
});

function aQuestion(question: Partial<Question>): Question {
  return { forge: 'GitHub', action: 'confirm', rules: [], login: 'bob', permission: 'write', teams: [], ...question };
}
