import { expect, test } from '@jest/globals';
import { withoutEscapes } from './without-escapes.ts';

test.each([
  ['colours', '\u001b[0m\u001b[1mTerraform\u001b[0m \u001b[38;5;208mplans\u001b[m', 'Terraform plans'],
  ['colours of eight bits', '\u009b31mred\u009b0m', 'red'],
  ['links and titles', '\u001b]8;;https://example.org\u0007here\u001b]8;;\u001b\\ \u001b]0;title\u0007', 'here '],
  ['short commands', '\u001b7\u001b(Bsaved\u001bM', 'saved'],
  ['what is not whole', 'a\u001b[\nb\u001b]c\nd\u001b', 'a\nbc\nd\u001b'],
  ['nothing', 'plain [31m ]8;; text', 'plain [31m ]8;; text'],
])('a text is read without %s', (_what, text, read) => {
  expect(withoutEscapes(text)).toBe(read);
});

// A time that grows faster than the text would take hours.
test.each(['\u001b]', '\u001b]8;;', '\u001b[', '\u001b[1;', '\u009b;', '\u001b(', '\u001b'])(
  'megabytes of %j are read at once',
  (piece) => {
    expect(withoutEscapes(`${piece.repeat(2_000_000)}\n`).at(-1)).toBe('\n');
  },
);
