import { expect, test } from '@jest/globals';
import { defined } from './defined.ts';

test('an optional field that is not there is left out, and nothing else', () => {
  const none: string | undefined = undefined;

  const fields: { readonly a?: string; readonly b: number; readonly c: string; readonly d: null } = defined({
    a: none,
    b: 0,
    c: '',
    d: null,
  });

  expect(Object.entries(fields)).toEqual([
    ['b', 0],
    ['c', ''],
    ['d', null],
  ]);
});
