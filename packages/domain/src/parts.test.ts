import { expect, test } from '@jest/globals';
import { inParts } from './parts.ts';

const activity = inParts({
  double: (number: number) => Promise.resolve(2 * number),
  name: () => Promise.resolve('ada'),
});

test('an activity of several parts does the one that is named', async () => {
  expect([await activity('double', 4), await activity('name')]).toEqual([8, 'ada']);
});

test.each(['triple', 'constructor'])(
  'an activity of several parts has no part %s, and says which it has',
  async (part) => {
    const asked = activity as unknown as (name: string) => Promise<unknown>; // As somebody who knows no types.

    await expect(asked(part)).rejects.toThrow(`expected one of double, name, found ${part}`);
  },
);
