import { describe, expect, test } from '@jest/globals';
import { bytesOf, bytesOfAll, firstWithin } from './bytes.ts';

test('a thing takes the bytes of its JSON, not its characters', () => {
  expect(bytesOf({ a: 'x' })).toBe(9);
  for (const text of ['é', '桜', '🚀', 'x\u0000"é桜🚀'])
    expect(bytesOf({ a: text })).toBe(Buffer.byteLength(JSON.stringify({ a: text })));
});

test('several take the sum', () => {
  expect(bytesOfAll([{}, { a: 'x' }])).toBe(11);
});

describe('what fits into one message', () => {
  const three = [{ a: 'x' }, { a: 'y' }, { a: 'z' }];

  test('is as many of the first as there is room for', () => {
    expect(firstWithin(three, 18)).toEqual(three.slice(0, 2));
    expect(firstWithin(three, 27)).toBe(three);
  });

  test('is one at least: nothing would ever be sent otherwise', () => {
    expect(firstWithin(three, 5)).toEqual(three.slice(0, 1));
  });
});
