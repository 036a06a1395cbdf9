import { expect, test } from '@jest/globals';
import type { Notification } from '@nereid/domain/notification';
import { aNotification } from './fixtures/a-notification.ts';
import { linksOf, plainLine, titleOf } from './texts.ts';

test.each([
  ['a mention', 'ask @here', 'ask @\u2060here'],
  ['a channel', 'see #general', 'see #\u2060general'],
  ['a link', 'https://evil.example', 'https:\u2060//evil.example'],
  ['a link without its scheme', 'www.evil.example', 'www\u2060.evil.example'],
  ['lines', 'one\ntwo\r\n\tthree', 'one two three'],
  ['a text that turns its direction', 'abc\u202Edef', 'abcdef'],
  ["Terraform's red", '\u001B[31mError:\u001B[0m exit code 1', 'Error: exit code 1'],
  ["the title of a terminal's window", '\u001B]0;owned\u0007text', 'text'],
  ['a mention that an invisible character hides', '@\u00ADhere', '@\u2060here'],
])('%s is only text', (_what, text, expected) => {
  expect(plainLine(text, 100)).toBe(expected);
});

test('a long text is cut between characters', () => {
  expect(plainLine('😀'.repeat(10), 4)).toBe('😀😀😀…');
});

test('a title names the repository and the root, and what became of it', () => {
  expect(titleOf(aNotification())).toBe('acme/infra: network failed');
});

test.each([
  ['stuck', 'Nereid: a workflow is stuck'],
  ['resumed', 'Nereid: a workflow is no longer held up'],
  ['forged', 'Nereid: a message was forged'],
] as const)('what is about no repository has a title, too: %s', (type, title) => {
  expect(titleOf({ version: 1, id: 'n', type, at: '', sentence: 's', links: {} })).toBe(title);
});

test('what is about a merge says so, and links to its page', () => {
  const page = 'https://nereid.example.org/rollouts/acme/infra/c';
  const halted: Notification = {
    ...{ version: 1, id: 'n', type: 'halted', at: '', sentence: 's', repository: 'acme/infra' },
    links: { page },
  };

  expect(titleOf(halted)).toBe('acme/infra: a rollout is halted');
  expect(titleOf({ ...halted, type: 'resumed' })).toBe('acme/infra: a rollout is no longer held up');
  expect(linksOf(halted)).toEqual([{ label: 'Page', url: page }]);
});

test('links that are not there are left out', () => {
  expect(linksOf(aNotification()).map(({ label }) => label)).toEqual(['Deployment', 'Check run']);
});
