import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { code, cutToLimit, fenced, folded, OUTPUT_LIMIT_BYTES, person, plain, sentence } from './markdown.ts';

/** Text that looks for trouble: what Markdown, terminals and pages treat specially, in any order. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', '```', '~~~', '\n', '\r', '\u001b[31m', '\u202e', '<', '>', '](', '€', '\ud800', '# '),
      fc.string(),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('a fence', () => {
  test('is closed by nothing that stands inside it', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 10 }), (lines) => {
        const [open = '', ...rest] = fenced(lines, '').split('\n');

        expect(rest.indexOf(open)).toBe(rest.length - 1);
        expect(rest.slice(0, -1).some((line) => line.includes(open))).toBe(false);
      }),
    );
  });

  test('keeps each line one line', () => {
    expect(fenced(['a\nb', '\u001b[31mred\u001b[0m'], 'text')).toBe('```text\na b\nred\n```');
  });
});

test('a code span is longer than any run of backticks in it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [ticks = ''] = /^`+/.exec(code(text)) ?? [];
      const inside = code(text).slice(ticks.length, -ticks.length);

      expect(inside.match(/`+/g) ?? []).not.toContain(ticks);
      expect(code(text)).not.toContain('\n');
    }),
  );
});

describe('a sentence', () => {
  test.each([
    ['*bold* _it_ [x](y)', '\\*bold\\* \\_it\\_ \\[x\\](y)'],
    ['<script>', '\\<script\\>'],
    ['see https://evil.example', 'see https:\\/\\/evil.example'],
    ['www.evil.example', 'www\\.evil.example'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['# title\nsecond', '\\# title second'],
  ])('%j shows as it was written', (text, markdown) => {
    expect(sentence(text)).toBe(markdown);
  });
});

test.each([
  ['alice', '@alice'],
  ['dependabot[bot]', '@dependabot[bot]'],
  ['alice_acme', '@alice_acme'],
  ['Jane <b>Doe</b>', '`Jane <b>Doe</b>`'],
])('the person %j is written %s', (login, markdown) => {
  expect(person(login)).toBe(markdown);
});

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a direction', 'abc\u202edef', 'abcdef'],
  ['a soft hyphen', 'net\u00adwork', 'network'],
  ['tags, which no font shows', 'net\u{e0041}work', 'network'],
])('one line is shown without %s', (_what, text, expected) => {
  expect(plain(text, 100)).toBe(expected);
});

test('a title is cut between characters', () => {
  expect(plain('🦀🦀🦀🦀', 3)).toBe('🦀🦀…');
});

describe('what is too long', () => {
  test('is cut to the limit in bytes, with a notice', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 10 }), (lines) => {
        const markdown = cutToLimit(
          fenced([...lines, ...new Array<string>(3_000).fill('€'.repeat(10))], 'text'),
          'cut',
        );

        expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(OUTPUT_LIMIT_BYTES);
        expect(markdown.endsWith('\n\ncut')).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test('ends outside of every fence', () => {
    const markdown = cutToLimit(fenced(new Array<string>(10_000).fill('0123456789'), 'text'), 'cut');

    expect(markdown.split('\n').filter((line) => line === '```')).toHaveLength(1);
  });

  test('ends outside of every fold, which a line of foreign text does not end', () => {
    const lines = ['</details>', ...new Array<string>(10_000).fill('0123456789')];

    const markdown = cutToLimit(`${folded('one', 'x')}\n\n${folded('two', fenced(lines, 'text'))}`, 'cut');

    expect(markdown.endsWith('\n```\n\n</details>\n\ncut')).toBe(true);
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(OUTPUT_LIMIT_BYTES);
  });

  test('ends no fold that is over', () => {
    const rest = new Array<string>(10_000).fill('0123456789').join('\n');

    expect(cutToLimit(`${folded('one', 'x')}\n\n${rest}`, 'cut').match(/<\/details>/g)).toHaveLength(1);
  });
});
