import { expect, test } from '@jest/globals';
import { aNotification } from './fixtures/a-notification.ts';
import { linksOf, plainLine, titleOf } from './texts.ts';

test.each([
  ['a mention', 'ask @here', 'ask @\u2060here'],
  ['a channel', 'see #general', 'see #\u2060general'],
  ['a link', 'https://evil.example', 'https:\u2060//evil.example'],
  ['a link without its scheme', 'www.evil.example', 'www\u2060.evil.example'],
  ['lines', 'one\ntwo\r\n\tthree', 'one two three'],
  ['a text that turns its direction', 'abc\u202Edef', 'abc def'],
])('%s is only text', (_what, text, expected) => {
  expect(plainLine(text, 100)).toBe(expected);
});

test('a long text is cut between characters', () => {
  expect(plainLine('😀'.repeat(10), 4)).toBe('😀😀😀…');
});

test('a title names the repository and the root, and what became of it', () => {
  expect(titleOf(aNotification())).toBe('acme/infra: network failed');
  expect(titleOf({ version: 1, id: 'n', type: 'stuck', at: '', sentence: 's', links: {} })).toBeUndefined();
});

test('links that are not there are left out', () => {
  expect(linksOf(aNotification()).map(({ label }) => label)).toEqual(['Deployment', 'Check run']);
});
