import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { onlySide, pairRows } from './pair-rows.ts';
import { createEffort, rowsOf, textOf, type Row } from './text-rows.ts';

const side = (row: Row | undefined) => row && row.mark + textOf(row);
const columnsOf = (...lines: readonly string[]) =>
  pairRows(rowsOf(lines, createEffort())).map(({ before, after }) => [side(before), side(after)]);

test.each([
  ['      ~ size = 1 -> 2', 'size = 1', 'size = 2'],
  ['      ~ size = 1 -> 2 # forces replacement', 'size = 1', 'size = 2 # forces replacement'],
  ['      ~ name = "a -> b" -> "c"', 'name = "a -> b"', 'name = "c"'],
  ['      ~ arn = "x" -> (known after apply)', 'arn = "x"', 'arn = (known after apply)'],
  ['      ~ "a.b/c" = "x" -> null', '"a.b/c" = "x"', '"a.b/c" = null'],
  ['      ~ password = (sensitive value)', 'password = (sensitive value)', 'password = (sensitive value)'],
  ['      ~ tags = {', 'tags = {', 'tags = {'],
])('%j has what was beside what is to be', (line, before, after) => {
  expect(columnsOf(line)).toEqual([[`!       ${before}`, `!       ${after}`]]);
});

test('lines that come stand beside those that go', () => {
  expect(columnsOf('      - a = 1', '      - b = 1', '      + c = 1', '        d = 1')).toEqual([
    ['-       a = 1', '+       c = 1'],
    ['-       b = 1', undefined],
    ['        d = 1', '        d = 1'],
  ]);
});

test.each([
  [
    '      - a = 1',
    [
      ['-       a = 1', undefined],
      ['    }', undefined],
    ],
  ],
  [
    '      + a = 1',
    [
      [undefined, '+       a = 1'],
      [undefined, '    }'],
    ],
  ],
  [
    '      ~ a = 1 -> 2',
    [
      ['!       a = 1', '!       a = 2'],
      ['    }', '    }'],
    ],
  ],
])('the lines around %j are where that is', (line, pairs) => {
  const rows = rowsOf([line, '    }'], createEffort());

  expect(pairRows(rows, onlySide(rows)).map(({ before, after }) => [side(before), side(after)])).toEqual(pairs);
});

test('a line of a million spaces is in both columns', () => {
  const line = `      ~ ${' '.repeat(1_000_000)}x`;

  expect(columnsOf(line)).toEqual([[`!${line.slice(1).replace('~', ' ')}`, `!${line.slice(1).replace('~', ' ')}`]]);
});

test('no line is lost, whatever a plan says', () => {
  const line = fc
    .tuple(fc.constantFrom('~ ', '+ ', '- ', '  '), fc.string())
    .map(([sign, text]) => `      ${sign}${text}`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const rows = rowsOf(lines, createEffort());
      const pairs = pairRows(rows);

      const of = (mark: Row['mark']) => rows.filter((row) => row.mark === mark).length;
      expect(pairs.filter(({ before }) => before?.mark === '-')).toHaveLength(of('-'));
      expect(pairs.filter(({ after }) => after?.mark === '+')).toHaveLength(of('+'));
      expect(pairs.filter(({ before, after }) => before !== undefined && before.mark === after?.mark)).toHaveLength(
        of('!') + of(' '),
      );
    }),
  );
});
