import { describe, expect, test } from '@jest/globals';
import { hclTokens } from './hcl-tokens.ts';
import { scanHcl } from './scan-hcl.ts';

const attributesIn = (text: string) =>
  [...scanHcl(text)].flatMap((part) => (part.kind === 'attribute' ? [`${part.name}=${part.value}`] : []));
const isUnknown = (text: string) => [...hclTokens(text)].some(({ kind }) => kind === 'unknown');

describe('what follows is found', () => {
  test.each([
    '<<É\n/*\nÉ',
    '<<-É-é_1\n/*\n  É-é_1',
    `<<${'A'.repeat(300)}\n/*\n${'A'.repeat(300)}`,
    '<<-A\r\n  /*\r\n  A\r',
    '<<A\n\ufeffA\n/*\nA',
    '<<A\n\u0085A',
    '<<A\n${[for\nA\nin ["/*"] : "q"][0]}\n/*\nA',
    '<<A\n${/*\nA\n*/ 1} /*\nA',
    '<<A\n${<<B\nA\n"\nB\n}\n/*\nA',
    '<<A\n$${\n/*\nA',
    '<<A\n${""}A\n/*\nA',
    '"${ 1 /* " */ }"',
    '"${ 1 # " }\n}"',
    '"${ <<A\n"}\nA\n}"',
  ])('behind the value %j', (value) => {
    const text = `x = ${value}\ny = "found"\n`;

    expect(attributesIn(text)).toEqual(['y=found']);
    expect(isUnknown(text)).toBe(false);
  });
});

test.each([
  ['"../\\u0068idden"', '../hidden'],
  ['"\\U0001F600\\n\\t\\r\\"\\\\u0068"', '\u{1F600}\n\t\r"\\u0068'],
  ['"e\\u0301"', 'é'],
])('the text of %s has no escapes and is normalized', (raw, text) => {
  expect(attributesIn(`x = ${raw}`)).toEqual([`x=${text}`]);
});

test.each(['"\\q"', '"\\u00"', '"\\UFFFFFFFF"', '"a" == "b" ? "c" : "d"', '"a" /* b */ + 1'])(
  'no plain value: %s',
  (value) => {
    expect([...scanHcl(`x = ${value}`)]).toEqual([{ kind: 'expression', name: 'x', within: undefined }]);
  },
);

test.each(['`', "'", ';', '@', '\u{1F600}', '/* open', '"open\n', '"${open', '<<A \nA\n', '<<A\n', '\\'])(
  'no text of the language: %j',
  (text) => {
    expect(isUnknown(text)).toBe(true);
  },
);

test('a minus before a name is no part of it', () => {
  const words = [...hclTokens('-file 1-file a-file 1.5e-3 é')].flatMap((token) =>
    token.kind === 'word' ? [token.text] : [],
  );

  expect(words).toEqual(['file', '1', 'file', 'a-file', '1.5e-3', 'é']);
});

test.each(['<<A\n${', '"${<<A\n', '"${/*', '"\\', '<<É', '\ufeff', '<<A\n\u0085', '<<A\n$${', '\u{1F600}'])(
  'a megabyte of %j is read in one pass',
  (piece) => {
    const text = piece.repeat((1024 * 1024) / piece.length);

    expect(isUnknown(text) && isUnknown(`x = "${text}`)).toBe(true);
  },
);
