import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanLines, cleanText, jsonLine } from './clean-text.ts';
import { relativeTime } from './relative-time.ts';
import { createScreen, type Piece } from './screen.ts';
import { cut, widthOf, wrapped } from './width.ts';

/** Whatever a terminal would obey, or by which text would show another order than it has. */
// eslint-disable-next-line no-control-regex -- the pattern looks for control characters
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('hostile text', () => {
  test.each([
    ['\u001b[2J\u001b]0;title\u0007', '�[2J�]0;title�'],
    ['\u009b31mred', '�31mred'],
    ['a\r\nb\tc\nd\re', 'a b c d�e'],
    ['good\u202egpj.exe', 'good�gpj.exe'],
    ['\u2066a\u2069', '�a�'],
    ['שלום 日本 🦀', 'שלום 日本 🦀'],
  ])('%j is shown as %j', (text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });

  test('never reaches the terminal, wherever it is printed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { screen, printed } = aScreen({ hasColours: false });
        screen.line(text, { text, style: 'red' });
        screen.paragraph(text);
        screen.table([{ title: 'A' }, { title: 'B', isFlexible: true }], [[text, text]]);

        expect(printed().replaceAll('\n', '')).not.toMatch(OBEYED);
        expect(cleanLines(text)).not.toMatch(OBEYED);
      }),
    );
  });

  test('is the same value in JSON, without acting on a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = jsonLine({ text });

        expect(JSON.parse(line)).toEqual({ text });
        expect(line.slice(0, -1)).not.toMatch(OBEYED);
      }),
    );
  });
});

describe('a table', () => {
  const COLUMNS = [{ title: 'NAME' }, { title: 'STATE' }, { title: 'WHY', isFlexible: true as const }];

  test('has aligned columns, also where characters are wide', () => {
    const { screen, printed } = aScreen({});
    screen.table(COLUMNS, [
      ['network', { text: 'review', style: 'yellow' }, 'waits'],
      ['日本', 'idle', ''],
    ]);

    expect(printed()).toBe('NAME     STATE   WHY\nnetwork  review  waits\n日本     idle\n');
  });

  test('fits the terminal: one column gives way', () => {
    const { screen, printed } = aScreen({ width: 40 });
    screen.table(COLUMNS, [['network', 'review', 'the plan of abc1234 waits for a person']]);

    expect(printed()).toBe('NAME     STATE   WHY\nnetwork  review  the plan of abc1234 wa…\n');
    for (const line of printed().split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });

  test('leaves its last column out where nothing could be read of it', () => {
    const { screen, printed } = aScreen({ width: 20 });
    screen.table(COLUMNS, [['network', 'review', 'the plan waits']]);

    expect(printed()).toBe('NAME     STATE\nnetwork  review\n');
  });

  test('goes on in further lines where its texts have to be read to the end', () => {
    const columns = [{ title: 'NAME' }, { title: 'FOUND', isFlexible: true, wraps: true }] as const;
    const [fits, narrow] = [aScreen({ width: 30 }), aScreen({ width: 5 })];
    for (const { screen } of [fits, narrow]) screen.table(columns, [['disk', 'expected some room, found none']]);

    expect(fits.printed()).toBe('NAME  FOUND\ndisk  expected some room,\n      found none\n');
    expect(narrow.printed()).toBe('NAME  FOUND\ndisk  expected\n      some room,\n      found none\n');
  });

  test('without rows is nothing', () => {
    const { screen, printed } = aScreen({});
    screen.table(COLUMNS, []);

    expect(printed()).toBe('');
  });

  test('has colours and icons only where they are wanted', () => {
    const cell: Piece = { text: 'failed', style: 'red', icon: '✗' };
    const coloured = aScreen({ hasColours: true });
    coloured.screen.table([{ title: 'A' }], [[cell]]);
    const plain = aScreen({});
    plain.screen.table([{ title: 'A' }], [[cell]]);

    expect(coloured.printed()).toContain('\u001b[31m✗ failed\u001b[39m');
    expect(plain.printed()).toBe('A\nfailed\n');
  });
});

describe('widths', () => {
  test('a text that is cut is at most so wide', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(widthOf(cut(cleanText(text), width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('a paragraph is broken between words', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('extraordinarily long', 8)).toEqual(['extraordinarily', 'long']);
  });
});

test.each([
  ['2026-11-22T12:00:00.000Z', 'now'],
  ['2026-11-22T11:59:30.000Z', '30s ago'],
  ['2026-11-22T11:30:00.000Z', '30m ago'],
  ['2026-11-22T02:00:00.000Z', '10h ago'],
  ['2026-11-20T12:00:00.000Z', '2d ago'],
  ['2026-11-28T12:00:00.000Z', 'in 6d'],
  ['2026-11-22T13:59:59.000Z', 'in 2h'],
  ['2026-11-29T11:59:00.000Z', 'in 7d'],
  ['2026-11-22T13:59:58.000Z', 'in 2h'],
  ['2026-11-22T12:29:59.000Z', 'in 30m'],
  ['yesterday', 'yesterday'],
])('the time %s is shown as "%s"', (iso, text) => {
  expect(relativeTime(iso, Date.parse('2026-11-22T12:00:00.000Z'))).toBe(text);
});

function aScreen({ hasColours = false, width }: { readonly hasColours?: boolean; readonly width?: number }) {
  let text = '';
  const screen = createScreen({ write: (more) => (text += more), hasColours, width });
  return { screen, printed: () => text };
}
