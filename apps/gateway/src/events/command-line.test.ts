import { describe, expect, test } from '@jest/globals';
import { commandLineOf, isAddressedTo } from './command-line.ts';

const isTaken = (body: string, names = ['nereid']) => isAddressedTo(names, commandLineOf(body));

describe('a command is', () => {
  test.each([
    ['the first line', 'nereid plan network\nbecause the subnet is wider'],
    ['the first line that is not blank', '\n\r\n \t\nnereid plan network'],
    ['a line with spaces around it', '   nereid plan network  \r\nthanks'],
    ['a line with spaces that do not break', '\u00a0nereid plan network\u00a0'],
    ['a line that ends with a carriage return alone', 'nereid plan network\rthanks'],
    ['a line after a byte order mark', '\ufeffnereid plan network'],
    ['a mention', '@nereid plan network'],
    ['code', '`nereid plan network`'],
    ['code with spaces', '` nereid plan network `\n'],
    ['code in three backticks', '```nereid plan network```'],
    ['a block of code', '```\nnereid plan network\n```'],
    ['a block of code of some language', '\r\n```sh\r\n\r\nnereid plan network\r\n```\r\n'],
    ['a block of code in tildes', '~~~\nnereid plan network\n~~~'],
    ['an indented block of code', '    nereid plan network'],
    ['bold', '**nereid plan network**'],
    ['a mention in code', '`@nereid plan network`'],
    ['what somebody writes above a quote', 'nereid plan network\n\nOn Monday, ada wrote:\n> looks good'],
  ])('a command is read from %s: %j', (_what, body) => {
    expect(commandLineOf(body)).toBe('nereid plan network');
    expect(isTaken(body)).toBe(true);
  });

  test.each(['Nereid Plan', 'NEREID plan', '@Nereid plan'])('addressed in any case: %j', (body) => {
    expect(isTaken(body)).toBe(true);
  });

  test.each(['tf plan', '@TF plan', '`tf plan`', '```\ntf plan\n```'])('addressed by any of our names: %j', (body) => {
    expect(isTaken(body, ['nereid', 'tf'])).toBe(true);
    expect(isTaken(body)).toBe(false);
  });
});

describe('a text about a command', () => {
  test.each([
    ['that begins with it in code', '`nereid plan` does not work here'],
    ['that begins with a line of it in code', '`nereid plan`\nis what I would comment'],
    ['with two commands in code', '`nereid plan` or `nereid apply`'],
    ['that begins with it in bold', '**nereid plan** is what I would comment'],
    ['after a block of code', '```\nnereid plan\n```\nis what I would comment'],
    ['that shows more in a block of code', '```\nnereid plan\nnereid apply\n```'],
    ['whose block of code does not end', '```\nnereid plan'],
    ['with another line first', 'please\nnereid apply'],
    ['that quotes it', '> nereid apply'],
    ['that quotes something first', '> shall I?\n\nnereid apply'],
    ['that mentions somebody else first', '@ada nereid apply'],
    ['to somebody with a longer name', '@nereids apply'],
    ['of a list', '- nereid apply'],
    ['that is struck through', '~~nereid apply~~'],
    ['that nobody sees', '<!-- nereid apply -->'],
    ['without words', ' \n```\n```\n'],
  ])('a text %s is no command: %j', (_what, body) => {
    expect(isTaken(body)).toBe(false);
  });
});

test('a line is no longer than a person writes a command', () => {
  expect(commandLineOf(`\n nereid plan ${'x '.repeat(32 * 1024)}`)).toMatch(/^nereid plan .{1,490}$/);
});

test.each([['`'.repeat(64 * 1024)], ['\n'.repeat(64 * 1024)], [`\`\`\`\n${'\n'.repeat(64 * 1024)}nereid`]])(
  'a comment of nothing but marks is read at once',
  (body) => {
    expect(isTaken(body)).toBe(false);
  },
);
