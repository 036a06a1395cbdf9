import { describe, expect, test } from '@jest/globals';
import { isOperator, operatorOf } from './console-policy.ts';
import { Console } from './console-schema.ts';
import { normaliseConsole } from './normalise-console.ts';

const operators = ['olga#7', 'Oskar'].map(operatorOf);

describe('an operator', () => {
  test.each([
    ['whose entry has the id, of the same account', { login: 'olga', id: 7 }],
    ['whose account was renamed', { login: 'olga-new', id: 7 }],
    ['whose entry has no id, by their login', { login: 'oskar', id: 8 }],
    ['where GitHub did not say who they are, by their login', { login: 'Olga' }],
  ])('an operator is a person %s', (_who, person) => {
    expect(isOperator({ operators }, person)).toBe(true);
  });

  test.each([
    ['who took the login of an account that was renamed', { login: 'olga', id: 9 }],
    ['with another login', { login: 'eve' }],
  ])('no operator is a person %s', (_who, person) => {
    expect(isOperator({ operators }, person)).toBe(false);
  });
});

test('a UI of Temporal is linked to, and may only ask for what is sealed where the file says so', () => {
  const uiOf = (more: object) =>
    normaliseConsole(Console.parse({ login: 'local', temporal_ui: { url: 'https://temporal.example/', ...more } }))
      .temporalUi;

  expect(uiOf({})).toEqual({ url: 'https://temporal.example', decodes: false });
  expect(uiOf({ decodes: true })).toEqual({ url: 'https://temporal.example', decodes: true });
});

test.each([
  ['links that only those open who are logged in', { log_links: 'login' }, ['log_links']],
  [
    'pages that ask for what somebody may read',
    { temporal_ui: { url: 'https://t.example', decodes: true } },
    ['temporal_ui', 'decodes'],
  ],
])('%s take a login', (_what, section, path) => {
  expect(Console.safeParse(section).error?.issues.map((issue) => issue.path)).toEqual([path]);
  expect(Console.safeParse({ ...section, login: 'local' }).success).toBe(true);
});
