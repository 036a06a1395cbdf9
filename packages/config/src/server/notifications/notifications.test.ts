import { describe, expect, test } from '@jest/globals';
import type { Notification } from '@nereid/domain/notification';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';
import { followsTopic, wantsNotification } from './destinations.ts';

const HOOK = 'name: ops, kind: webhook, url: "https://hooks.example.org/nereid", secret_file: /run/secrets/hook';

const MAIL = 'name: mail, kind: email, url: "smtps://mail.example.org", from: n@example.org, to: [o@example.org]';
const PAGER = 'name: pager, kind: pagerduty, secret_file: /run/secrets/key';

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

function destinationOf(more: string, written = HOOK) {
  const result = read(`[{ ${written}${more} }]`);
  const [destination] = result.kind === 'ok' ? result.config.notifications : [];
  if (destination === undefined) throw new Error('expected a destination');
  return destination;
}

test('a destination announces what is urgent, unless the file says otherwise', () => {
  expect(destinationOf('')).toEqual({
    name: 'ops',
    target: { kind: 'webhook', url: 'https://hooks.example.org/nereid', secretFile: '/run/secrets/hook' },
    when: ['outcome-unknown', 'failed', 'halted', 'waits-for-person', 'reminder', 'locked', 'stuck'],
    repositories: [],
    roots: [],
  });
  expect(destinationOf(', when: [succeeded]').when).toEqual(['succeeded']);
});

test('quiet hours hold back every message, and of alarms what wakes nobody, unless the file says otherwise', () => {
  const hours = 'hours: "18:00-08:00", timezone: Europe/Berlin';
  const night = { fromMs: 18 * 3_600_000, toMs: 8 * 3_600_000, timezone: 'Europe/Berlin' };

  expect(destinationOf(`, quiet: { ${hours} }`).quiet).toEqual({ ...night, passing: [] });
  expect(destinationOf(`, quiet: { ${hours} }`, PAGER).quiet).toEqual({
    ...night,
    passing: ['outcome-unknown', 'failed', 'halted', 'stuck', 'forged', 'resumed', 'succeeded'],
  });
  expect(destinationOf(`, quiet: { ${hours}, hold_failures: true }`, PAGER).quiet?.passing).toEqual([]);
});

test('a digest hears also of what is over, which it leaves out', () => {
  const destination = destinationOf(', digest: daily 09:30 Europe/Berlin', MAIL);

  expect(destination.digest).toEqual({ atMs: 9.5 * 3_600_000, timezone: 'Europe/Berlin' });
  expect(destination.when).not.toContain('succeeded');
  expect(followsTopic(destination, 'succeeded')).toBe(true);
});

test.each([
  ['an unknown topic', `[{ ${HOOK}, when: [fails] }]`, 'notifications[0].when[0]: expected one of "outcome-unknown"'],
  ['no topic', `[{ ${HOOK}, when: [] }]`, 'notifications[0].when: expected at least one topic'],
  ['an unknown kind', '[{ name: ops, kind: pigeon }]', 'notifications[0].kind: expected one of "webhook", "slack"'],
  [
    'a kind with a letter too few',
    '[{ name: ops, kind: webhok }]',
    'notifications[0].kind: expected one of "webhook", "slack", "teams", "email", "pagerduty", "alertmanager" (did you mean "webhook"?), found "webhok"',
  ],
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
  [
    'quiet hours for all day',
    `[{ ${HOOK}, quiet: { hours: "08:00-07:00", timezone: Europe/Berlin } }]`,
    'notifications[0].quiet.hours: expected two times, at most 20 hours apart, found "08:00-07:00"; write them like "18:00-08:00"',
  ],
  [
    'quiet hours in no zone',
    `[{ ${HOOK}, quiet: { hours: "18:00-08:00", timezone: Europe/Berlinn } }]`,
    'notifications[0].quiet.timezone: expected a time zone of the IANA database, found "Europe/Berlinn"; did you mean "Europe/Berlin"?',
  ],
  [
    'a digest by webhook',
    `[{ ${HOOK}, digest: daily 09:00 Europe/Berlin }]`,
    'notifications[0].digest: expected a known key, found "digest"',
  ],
  [
    'a digest of a zone that is none',
    `[{ ${MAIL}, digest: daily 09:00 Mars }]`,
    'notifications[0].digest: expected a time zone',
  ],
  [
    'a digest with quiet hours',
    `[{ ${MAIL}, digest: daily 09:00 UTC, quiet: { hours: "18:00-08:00", timezone: UTC } }]`,
    'notifications[0].digest: expected no quiet and no once_per beside it',
  ],
  ['alerts once', `[{ ${PAGER}, once_per: day }]`, 'notifications[0].once_per: expected a known key, found "once_per"'],
])('%s is refused with what is right', (_what, written, sentence) => {
  expect(problemsOf(written)).toEqual([expect.stringContaining(sentence)]);
});

function deploymentsOf(written: string) {
  const result = readServerConfig(`repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
deployments: ${written}
`);
  return result.kind === 'invalid'
    ? result.problems.map((each) => formatProblem(each, 'f'))
    : result.config.notifications;
}

test('the deployments of the forge are a destination that nobody can name', () => {
  expect(deploymentsOf('{ environment: "{environment}/{root}", roots: [prod] }')).toEqual([
    {
      name: 'github.deployments',
      target: { kind: 'deployments', environment: '{environment}/{root}' },
      when: ['applying', 'succeeded', 'failed', 'outcome-unknown', 'not-deployed'],
      repositories: [],
      roots: ['prod'],
    },
  ]);
});

test.each(['production', '{root}/{workspace}', '{root', '{root}\\u202e', `{root}${'x'.repeat(100)}`])(
  'the name of an environment has the root in it, and nothing that is unknown: %s',
  (environment) => {
    expect(deploymentsOf(`{ environment: "${environment}" }`)).toEqual([
      expect.stringContaining('deployments.environment: expected a text of at most 100 characters with "{root}"'),
    ]);
  },
);

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
