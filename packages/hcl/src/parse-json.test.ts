import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, type JsonValue } from './parse-json.ts';

test('a key that an object has twice counts twice, however it is written', () => {
  expect(parseJson('{"a":1,"\\u0061":{"b":[]}}')).toEqual({
    members: [
      ['a', 1],
      ['a', { members: [['b', []]] }],
    ],
  });
});

test.each(['null', '-1.5e3', 'true', '"{\\"a\\":[1]}\\\\"', ' [ ] ', '{"__proto__":{"a":"]"}}', '{"":"\\u2028"}'])(
  'apart from that, it is what JSON.parse reads: %s',
  (text) => {
    expect(JSON.stringify(plain(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
  },
);

test('any JSON is read', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(JSON.stringify(plain(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test.each(['', '{', '{"a"}', '[1,]', "{'a':1}", 'tru', '{} {}', '\uFEFF{}'])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

describe('a megabyte', () => {
  test.each([
    ['of lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['of objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`],
    ['of one string', `"${'\\"a'.repeat(350_000)}"`],
  ])('%s is read in one pass', (_what, text) => {
    expect(() => parseJson(text)).not.toThrow();
  });
});

/** With the last value of each key. */
function plain(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!('members' in value)) return value.map(plain);
  return Object.fromEntries(value.members.map(([key, one]) => [key, plain(one)]));
}
