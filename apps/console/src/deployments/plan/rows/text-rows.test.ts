import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldRows } from './fold-rows.ts';
import { createEffort, rowsOf, rowsOfBoth, textOf, type Row } from './text-rows.ts';

const shown = (rows: readonly Row[]) =>
  rows.map(
    ({ mark, parts, tail = '' }) =>
      mark + parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('') + tail,
  );
const rowsIn = (...lines: readonly string[]) => shown(rowsOf(lines, createEffort()));

describe('a long value on one line', () => {
  test('is compared piece by piece where it is a list', () => {
    const [before, after] = ['a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=10', 'a=1,b=2,c=30,d=4,e=5,f=6,g=7,h=8,i=9,j=10'];

    const rows = rowsIn(`      ~ rules = "${before}" -> "${after}" # forces replacement`);

    expect(rows.slice(0, 5)).toEqual([
      '!       rules = "',
      '            a=1,',
      '            b=2,',
      '-           c=[3],',
      '+           c=[30],',
    ]);
    expect(rows.at(-1)).toBe('        " # forces replacement');
  });

  test('is compared word by word where it is a sentence', () => {
    const [before, after] = [
      'the quick brown fox jumps over the lazy dog',
      'the quick brown fox jumps over the sleeping dog',
    ];

    expect(rowsIn(`      ~ description = "${before}" -> "${after}"`)).toEqual([
      '-       description = "the quick brown fox jumps over the [lazy] dog"',
      '+       description = "the quick brown fox jumps over the [sleeping] dog"',
    ]);
  });

  test('is two lines where the values have nothing in common', () => {
    const [before, after] = ['q'.repeat(60), 'x'.repeat(60)];

    expect(rowsIn(`          ~ "${before}" -> "${after}",`)).toEqual([
      `-           "${before}"`,
      `+           "${after}",`,
    ]);
  });

  test.each([
    '      ~ ami = "ami-1" -> "ami-2"',
    `      ~ id = "${'x'.repeat(100)}" -> (known after apply)`,
    `      ~ a = "${'x'.repeat(100)}" -> "${'y'.repeat(100)}… (9 more characters)`,
  ])('stays as it is where there are not two of them: %s', (line) => {
    expect(rowsIn(line)).toEqual([`!${line.slice(1).replace('~', ' ')}`]);
  });
});

test('the words that changed are marked in a line of a longer text', () => {
  const lines = ['      ~ a = <<-EOT', '          - start --port 80', '          + start --port 8080', '        EOT'];

  expect(rowsIn(...lines).slice(1, 3)).toEqual(['-           start --port [80]', '+           start --port [8080]']);
});

test('two plans are compared line by line', () => {
  const rows = rowsOfBoth(['  # a', '  + b = "one two"'], ['  # a', '  + b = "one three"', '  + c'], createEffort());

  expect(shown(rows)).toEqual(['   # a', '-  + b = "one [two]"', '+  + b = "one [three]"', '+  + c']);
});

test('a page that has compared enough shows values without', () => {
  const [before, after] = ['a word '.repeat(20), 'b word '.repeat(20)];
  const effort = { characters: 100 };

  const rows = rowsOf([`      ~ a = "${before}" -> "${after}"`], effort);

  expect(shown(rows)).toEqual([`-       a = "${before}"`, `+       a = "${after}"`]);
});

test('no character of a value is lost, and none is added', () => {
  const value = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';', '\\n', '-'), maxLength: 120 });
  fc.assert(
    fc.property(value, value, (before, after) => {
      const rows = rowsOf([`      ~ a = "${before}" -> "${after}"`], createEffort());
      const side = (gone: string) =>
        rows
          .filter(({ mark }) => mark !== gone)
          .map(textOf)
          .join('')
          .replaceAll(/\s/g, '');

      if (rows.length > 1) {
        expect(side('+')).toBe(`a="${before}"`.replaceAll(/\s/g, ''));
        expect(side('-')).toBe(`a="${after}"`.replaceAll(/\s/g, ''));
      }
    }),
  );
});

describe('folds', () => {
  const foldsOf = (...lines: readonly string[]) =>
    foldRows(rowsOf(lines, createEffort())).map(({ rows, isFolded }) => (isFolded ? `… ${rows.length}` : rows.length));
  const many = (count: number, line: string) => Array.from({ length: count }, () => line);

  test('what is unchanged, but for some lines around a change', () => {
    expect(foldsOf('      ~ a = <<-EOT', ...many(20, '            same'), '          + more', '        EOT')).toEqual([
      4,
      '… 14',
      5,
    ]);
  });

  test('not so few lines that the fold would take as much room', () => {
    expect(foldsOf('      ~ a = 1 -> 2', ...many(9, '        b = 1'), '      ~ a = 1 -> 2')).toEqual([11]);
  });

  test('most of a text that comes as a whole, and no attributes', () => {
    expect(
      foldsOf('      + a = <<-EOT', ...many(40, '            line'), '        EOT', ...many(50, '      + b = 1')),
    ).toEqual([13, '… 28', 51]);
  });

  test('nothing away: all rows are in the stretches, in their order', () => {
    const line = fc.constantFrom('      + a = <<-EOT', '        EOT', '      ~ b = 1 -> 2', '        c', '      - d');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const rows = rowsOf(lines, createEffort());
        expect(foldRows(rows).flatMap((stretch) => stretch.rows)).toEqual(rows);
      }),
    );
  });
});
