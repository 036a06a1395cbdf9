import { describe, expect, test } from '@jest/globals';
import type { Notification } from '@nereid/domain/notification';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';
import { wantsNotification } from './destinations.ts';

const HOOK = 'name: ops, kind: webhook, url: "https://hooks.example.org/nereid", secret_file: /run/secrets/hook';

function read(notifications: string) {
  return readServerConfig(`repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
notifications: ${notifications}
`);
}

function problemsOf(notifications: string): readonly string[] {
  const result = read(notifications);
  return result.kind === 'invalid' ? result.problems.map((each) => formatProblem(each, 'f')) : [];
}

function destinationOf(more: string) {
  const result = read(`[{ ${HOOK}${more} }]`);
  const [destination] = result.kind === 'ok' ? result.config.notifications : [];
  if (destination === undefined) throw new Error('expected a destination');
  return destination;
}

test('a destination announces what is urgent, unless the file says otherwise', () => {
  expect(destinationOf('')).toEqual({
    name: 'ops',
    target: { kind: 'webhook', url: 'https://hooks.example.org/nereid', secretFile: '/run/secrets/hook' },
    when: ['outcome-unknown', 'failed', 'waits-for-person', 'reminder', 'locked', 'stuck'],
    repositories: [],
    roots: [],
  });
  expect(destinationOf(', when: [succeeded]').when).toEqual(['succeeded']);
});

test.each([
  ['an unknown topic', `[{ ${HOOK}, when: [fails] }]`, 'notifications[0].when[0]: expected one of "outcome-unknown"'],
  ['no topic', `[{ ${HOOK}, when: [] }]`, 'notifications[0].when: expected at least one topic'],
  ['an unknown kind', '[{ name: ops, kind: pigeon }]', 'notifications[0].kind: expected one of "webhook", "slack"'],
  [
    'no secret',
    '[{ name: ops, kind: webhook, url: "https://hooks.example.org" }]',
    'notifications[0].secret_file: expected the absolute path of a file, without ".."',
  ],
  [
    'no TLS',
    '[{ name: ops, kind: webhook, url: "http://hooks.example.org", secret_file: /s }]',
    'expected an https URL, or an http URL of this machine',
  ],
  [
    'a password in an address',
    '[{ name: ops, kind: email, url: "smtps://a:secret@mail.example.org", from: n@example.org, to: [o@example.org] }]',
    'notifications[0].url: expected an address of a mail server',
  ],
  [
    'a password of nobody',
    '[{ name: ops, kind: email, url: "smtps://mail.example.org", from: n@example.org, to: [o@example.org], secret_file: /s }]',
    'notifications[0].url: expected the person whose password is in secret_file',
  ],
  [
    'no address to send to',
    '[{ name: ops, kind: email, url: "smtps://mail.example.org", from: n@example.org, to: [] }]',
    'notifications[0].to: expected at least one address',
  ],
  [
    'one name for two',
    `[{ ${HOOK} }, { ${HOOK.replace('ops', 'OPS')} }]`,
    'expected each name once, found "OPS", which is notifications[0] already; choose another one',
  ],
  [
    'a name that is a path',
    `[{ ${HOOK.replace('ops', '../x')} }]`,
    'notifications[0].name: expected a name of letters, digits and "-"',
  ],
])('%s is refused with what is right', (_what, written, sentence) => {
  expect(problemsOf(written)).toEqual([expect.stringContaining(sentence)]);
});

describe('a destination wants', () => {
  const network: Notification = {
    ...{ version: 1, id: 'n1', type: 'failed', at: '2026-01-31T14:00:00.000Z', sentence: 'Failed', links: {} },
    repository: 'acme/infra',
    root: { name: 'prod-network', directory: 'prod/network' },
  };
  const linked: Notification = {
    ...network,
    root: { name: 'network', directory: 'links/network', realDirectory: 'prod/network' },
  };
  const stuck: Notification = { ...network, type: 'stuck' };
  const { repository: _repository, root: _root, ...aboutNone } = stuck;

  test.each<[string, string, Notification, boolean]>([
    ['everything of its topics', '', network, true],
    ['nothing of other topics', ', when: [locked]', network, false],
    ['what is about its repositories', ', repositories: [acme/i*]', network, true],
    ['nothing about other repositories', ', repositories: [acme/app]', network, false],
    ['what is about its roots', ', roots: [prod]', network, true],
    ['what is about its roots, behind a link', ', roots: [prod]', linked, true],
    ['what is about its roots, by the directory of the link', ', roots: [links]', linked, true],
    ['nothing about other roots', ', roots: ["staging/**"]', network, false],
    ['what is about no repository, if it names none', '', aboutNone, true],
    ['nothing about no repository, if it names some', ', repositories: ["*/*"]', aboutNone, false],
    ['nothing about no root, if it names some', ', roots: ["**"]', aboutNone, false],
  ])('%s', (_what, more, notification, expected) => {
    expect(wantsNotification(destinationOf(more), notification)).toBe(expected);
  });
});
