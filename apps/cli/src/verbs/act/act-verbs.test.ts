import { expect, test } from '@jest/globals';
import { ACTIONS, CONSOLE_ACTIONS } from '@nereid/domain/actions';
import { SUBJECTS } from './subjects.ts';

const shared = [...Map.groupBy(CONSOLE_ACTIONS, (name) => ACTIONS[name].verb)].filter(([, names]) => names.length > 1);

test.each(shared)(
  'the actions with the verb %s are about different things, which a person names alike',
  (_verb, names) => {
    const subjects = names.map((name) => ACTIONS[name].about);

    expect(new Set(subjects).size).toBe(names.length);
    expect(new Set(subjects.map((about) => SUBJECTS[about])).size).toBe(1);
  },
);
