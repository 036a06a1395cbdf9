import { expect, test } from '@jest/globals';
import { readServerConfig } from '../read-server-config.ts';

const FILE = `repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
windows:
`;

const SOUND = {
  name: 'Night',
  kind: 'deny',
  rrule: 'FREQ=DAILY',
  dtstart: '2026-01-05T20:00',
  duration: '10h',
  timezone: 'Europe/Berlin',
};

function findings(...windows: readonly object[]): readonly string[] {
  const read = readServerConfig(`${FILE}${windows.map((one) => `  - ${JSON.stringify(one)}\n`).join('')}`);
  const found = read.kind === 'ok' ? read.warnings : read.problems;
  return found.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

test.each([
  ['by day', {}],
  ['once', { rrule: undefined }],
  ['on both days of a weekend', { rrule: 'FREQ=WEEKLY;BYDAY=SA,SU', dtstart: '2026-01-03T00:00', duration: '1d' }],
  ['on the last working day of a month', { rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1' }],
  ['until a day', { rrule: 'FREQ=DAILY;UNTIL=20270101', duration: '1d' }],
  [
    'each hour',
    { rrule: `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_none, hour) => hour).join(',')}`, duration: '5m' },
  ],
  ['in every leap year', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' }],
])('a window may begin %s', (_what, more) => {
  expect(findings({ ...SOUND, ...more })).toEqual([]);
});

const RULE = /^4 windows\[0\].rrule: expected parts of a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU", with FREQ, /;

test.each([
  ['an unknown zone', { timezone: 'Europe/Berlinn' }, /^4 windows\[0\].timezone: .* did you mean "Europe\/Berlin"\?$/],
  ['an offset', { timezone: '+01:00' }, /^4 windows\[0\].timezone: .*; write it like Europe\/Berlin$/],
  [
    'a day that no calendar has',
    { dtstart: '2026-02-31T08:00' },
    /^4 windows\[0\].dtstart: expected a day of the calendar/,
  ],
  ['a time of day that no clock shows', { dtstart: '2026-02-01T25:00' }, /^4 windows\[0\].dtstart: expected a day of/],
  [
    'a frequency below a day',
    { rrule: 'FREQ=HOURLY' },
    /expected DAILY, WEEKLY, MONTHLY or YEARLY in FREQ, found "FREQ=HOURLY"$/,
  ],
  [
    'a day that no week has',
    { rrule: 'FREQ=WEEKLY;BYDAY=XX' },
    /expected days like MO,-1FR in BYDAY, found "BYDAY=XX"$/,
  ],
  ['a part that the library would not notice', { rrule: 'FREQ=DAILY;FOO=1' }, RULE],
  [
    'a rule that begins each half an hour',
    {
      rrule: `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_none, hour) => hour).join(',')};BYMINUTE=0,30`,
      duration: '5m',
    },
    /^4 windows\[0\].rrule: expected a rule that begins at most 24 times a day, found .*, which begins 48 times; leave out/,
  ],
  ['an hour that no day has', { rrule: 'FREQ=DAILY;BYHOUR=24' }, /expected numbers from 0 to 23 in BYHOUR, found/],
  ['no frequency', { rrule: 'BYDAY=MO' }, RULE],
  ['a part twice', { rrule: 'FREQ=DAILY;FREQ=WEEKLY' }, /expected each part of a rule once/],
  [
    'an end by time and by count',
    { rrule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101' },
    /which never does: .*COUNT and UNTIL/,
  ],
  [
    'a day that never comes',
    { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
    /by which the window begins.* never does/,
  ],
  [
    'a duration longer than the pause between two beginnings',
    { duration: '25h' },
    /duration of at most 24h, .* found 25h/,
  ],
  ['a denial for ever', { duration: '1d' }, /expected a time at which nothing is denied.* for ever/],
  ['a duration that is none', { duration: '1m' }, /expected a duration from 5m to 366d, found "1m"; write it like 12h/],
  ['a door that has no windows', { doors: ['confirm'] }, /expected one of "plan", "apply", found "confirm"/],
  ['a name that breaks lines', { name: 'Night\nshift' }, /expected a name of at most 60 characters on one line/],
])('%s is a problem, with its place', (_what, more, problem) => {
  expect(findings({ ...SOUND, ...more })).toEqual([expect.stringMatching(problem)]);
});

test('each name stands once, in whatever case', () => {
  expect(findings(SOUND, { ...SOUND, name: 'NIGHT' })).toEqual([
    '5 windows[1].name: expected each name once, found "NIGHT", which is windows[0] already; choose another one',
  ]);
});

test('a rule by the name of a root is weak, because repositories name their roots', () => {
  expect(findings({ ...SOUND, roots: ['prod/**', 'name:net'] })).toEqual([
    expect.stringMatching(/^4 windows\[0\].roots\[1\]: expected a directory, found the name "name:net"/),
  ]);
});
