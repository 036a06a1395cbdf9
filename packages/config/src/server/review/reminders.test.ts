import { describe, expect, test } from '@jest/globals';
import { policyWith } from '../repository-policy/policy.fixture.ts';
import { hasReminders, settingsFor } from '../repository-policy/settings-for.ts';
import { readServerConfig } from '../read-server-config.ts';

const HOUR_MS = 3_600_000;

const STORAGE = 'storage: { deployments: "file:/data", plans: "file:/data", logs: "file:/data" }';

const remindersIn = (repositories: string) =>
  settingsFor(policyWith(`repositories: ${repositories}`), { name: 'network', dirs: ['prod/network'] }).reminders;

function findings(review: string): readonly string[] {
  const read = readServerConfig(`repositories: [{ match: acme/*, review: ${review} }]\n${STORAGE}`);
  const found = read.kind === 'ok' ? read.warnings : read.problems;
  return found.map(({ path, message }) => `${path}: ${message}`);
}

describe('of a plan that waits for its review, the file says', () => {
  test('nothing, and nobody is reminded', () => {
    expect(remindersIn('[{ match: acme/*, review: { count: 2 } }]')).toBeUndefined();
    expect(hasReminders(policyWith('repositories: [{ match: acme/* }]'))).toBe(false);
  });

  test('when people are reminded, in order, and whom it goes to', () => {
    const review = '{ remind: [1d, 4h], escalate: { after: 2d, to: acme/leads } }';

    expect(remindersIn(`[{ match: acme/*, review: ${review} }]`)).toEqual({
      remindMs: [4 * HOUR_MS, 24 * HOUR_MS],
      escalate: { afterMs: 48 * HOUR_MS, to: 'acme/leads' },
    });
  });

  test('the hours that count: those of working days, where it names no days', () => {
    const hours = '{ from: 08:30, to: 17:00, timezone: Europe/Berlin }';

    expect(remindersIn(`[{ match: acme/*, review: { remind: [4h], hours: ${hours} } }]`)?.hours).toEqual({
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      fromMs: 8.5 * HOUR_MS,
      toMs: 17 * HOUR_MS,
      timezone: 'Europe/Berlin',
    });
  });

  test('a rule for the root says it before its entry does, key by key', () => {
    const roots = '{ "prod/**": { review: { remind: [1h] } } }';
    const entry = 'review: { remind: [4h], escalate: { after: 1d, to: acme/leads } }';

    expect(remindersIn(`[{ match: acme/*, ${entry}, roots: ${roots} }]`)).toEqual({
      remindMs: [HOUR_MS],
      escalate: { afterMs: 24 * HOUR_MS, to: 'acme/leads' },
    });
  });

  test('of whom it makes nobody a reviewer', () => {
    const { review } = settingsFor(policyWith('repositories: [{ match: acme/*, review: { remind: [4h] } }]'), {
      name: 'network',
      dirs: ['prod/network'],
    });

    expect(review).toBeUndefined();
  });
});

test.each([
  [
    'an unknown zone',
    '{ remind: [4h], hours: { from: 09:00, to: 17:00, timezone: Europe/Berlinn } }',
    /timezone: .*did you mean/,
  ],
  [
    'hours that end before they begin',
    '{ hours: { from: 17:00, to: 09:00, timezone: UTC } }',
    /hours.to: expected a time of day after from/,
  ],
  [
    'a time that no clock shows',
    '{ hours: { from: 25:00, to: 26:00, timezone: UTC } }',
    /hours.from: expected a time of day like 09:00/,
  ],
  ['a day that no week has', '{ hours: { days: [someday], from: 09:00, to: 17:00, timezone: UTC } }', /hours.days/],
  [
    'a reminder of a review that has expired',
    '{ expires: 2d, remind: [4h, 2d] }',
    /review.remind: expected a time before the review expires, after 2d, found 2d/,
  ],
  [
    'an escalation of one',
    '{ expires: 1d, escalate: { after: 2d, to: acme/leads } }',
    /review.escalate: expected a time before/,
  ],
  ['a team without its organisation', '{ escalate: { after: 1d, to: leads } }', /escalate.to: expected a team/],
])('the file is not taken as it is with %s', (_what, review, finding) => {
  expect(findings(review)).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
});
