import { expect, test } from '@jest/globals';
import { ACTIONS, CONSOLE_ACTIONS } from '@nereid/domain/actions';
import { SUBJECTS } from './subjects.ts';

const shared = [...Map.groupBy(CONSOLE_ACTIONS, (name) => ACTIONS[name].verb)].filter(([, names]) => names.length > 1);

test.each(shared)(
  'the actions with the verb %s are about different things, which a person names alike, or by an option of their own',
  (_verb, names) => {
    const subjects = names.map((name) => ACTIONS[name].about);

    expect(new Set(subjects).size).toBe(names.length);
    const named = subjects.map((about) => SUBJECTS[about]);
    expect(new Set(named.filter(({ isNamed }) => isNamed === undefined)).size).toBe(1);
  },
);
