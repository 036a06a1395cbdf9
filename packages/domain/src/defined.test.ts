import { expect, test } from '@jest/globals';
import { defined, type EachOf } from './defined.ts';

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

test('where each field of a type is to be decided, one that is left out does not compile', () => {
  interface Whole {
    readonly one: number;
    readonly two?: string;
  }
  const whole: Whole = defined<EachOf<Whole>>({ one: 1, two: undefined });
  // @ts-expect-error `two` is not decided
  const part: Whole = defined<EachOf<Whole>>({ one: 1 });

  expect([whole, part]).toEqual([{ one: 1 }, { one: 1 }]);
});
