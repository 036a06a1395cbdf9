import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { serverWith } from '../repository-policy/policy.fixture.ts';
import { describeTime, describeWindow } from './describe-window.ts';
import { findTransitions, windowsFor, windowStateAt } from './window-state.ts';

const OFFICE = `{ name: Office hours, kind: allow, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", dtstart: 2026-01-05T08:00, duration: 9h, timezone: Europe/Berlin }`;
const FREEZE = `{ name: Year end, kind: deny, dtstart: 2026-12-19T18:00, duration: 16d, timezone: Europe/Berlin }`;
const NIGHTLY = `{ name: Backup, kind: deny, rrule: FREQ=DAILY, dtstart: 2026-01-05T02:30, duration: 1h, timezone: Europe/Berlin }`;
const WEEKENDS = `{ name: Weekends, kind: deny, rrule: "FREQ=WEEKLY;BYDAY=SA,SU", dtstart: 2026-01-03T00:00, duration: 1d, timezone: Europe/Berlin }`;
const MIDWEEK = `{ name: Midweek, kind: deny, rrule: "FREQ=DAILY;UNTIL=20261026T230000Z", dtstart: 2026-10-01T00:00, duration: 24h, timezone: Europe/Berlin }`;
const SATURDAYS = `{ name: Saturdays, kind: deny, rrule: "FREQ=WEEKLY;BYDAY=SA", dtstart: 2026-01-03T00:00, duration: 48h, timezone: Europe/Berlin }`;
const HALVES = `{ name: Halves, kind: deny, rrule: "FREQ=DAILY;BYHOUR=0,12;UNTIL=20261026T113000Z", dtstart: 2026-10-01T00:00, duration: 12h, timezone: Europe/Berlin }`;

/** A quarter of a second for each. Where each time is held against each occurrence, so many together take minutes, and hang. */
const ENDLESS_RULES = 10;

function serverOf(...windows: readonly string[]) {
  return serverWith(`repositories: [{ match: acme/* }]\nwindows: [${windows.join(', ')}]`);
}

function placesOf(windows: readonly string[], dirs: readonly string[] = ['prod/net'], repository = 'acme/infra') {
  return windowsFor(serverOf(...windows), repository, { name: 'net', dirs }, 'apply');
}

function stateOf(windows: readonly string[], at: string): string {
  const state = windowStateAt(placesOf(windows), Date.parse(at));
  const transition = state.kind === 'open' ? state.closesAt : state.opensAt;
  return `${state.kind} until ${transition === undefined ? 'further notice' : new Date(transition).toISOString()}`;
}

describe('a root is', () => {
  test.each([
    ['open where there is no window', [], '2026-11-27T17:00:00Z', 'open until further notice'],
    ['open inside an allow', [OFFICE], '2026-11-30T09:00:00Z', 'open until 2026-11-30T16:00:00.000Z'],
    ['closed outside of it', [OFFICE], '2026-11-27T17:00:00Z', 'closed until 2026-11-30T07:00:00.000Z'],
    ['open at the moment of its beginning', [OFFICE], '2026-11-30T07:00:00Z', 'open until 2026-11-30T16:00:00.000Z'],
    ['closed at the moment of its end', [OFFICE], '2026-11-30T16:00:00Z', 'closed until 2026-12-01T07:00:00.000Z'],
    [
      'closed inside a deny, whatever is allowed',
      [OFFICE, FREEZE],
      '2026-12-24T09:00:00Z',
      'closed until 2027-01-05T07:00:00.000Z',
    ],
    ['open before a deny', [FREEZE], '2026-12-19T16:59:00Z', 'open until 2026-12-19T17:00:00.000Z'],
    ['open for good after a deny that begins once', [FREEZE], '2027-02-01T00:00:00Z', 'open until further notice'],
    [
      'closed through denials that follow each other',
      [WEEKENDS],
      '2026-11-28T12:00:00Z',
      'closed until 2026-11-29T23:00:00.000Z',
    ],
    [
      'closed from the end of the hour that summer time skips',
      [NIGHTLY],
      '2026-03-29T00:59:00Z',
      'open until 2026-03-29T01:00:00.000Z',
    ],
    ['closed for the whole duration then', [NIGHTLY], '2026-03-29T01:00:00Z', 'closed until 2026-03-29T02:00:00.000Z'],
    [
      'closed in the first of two equal hours',
      [NIGHTLY],
      '2026-10-25T00:30:00Z',
      'closed until 2026-10-25T01:30:00.000Z',
    ],
    [
      'closed on a day of 25 hours, whose end is the next beginning',
      [MIDWEEK],
      '2026-10-25T22:30:00Z',
      'closed until 2026-10-27T23:00:00.000Z',
    ],
    [
      'closed through a weekend of 49 hours',
      [SATURDAYS],
      '2026-10-25T22:30:00Z',
      'closed until 2026-10-25T23:00:00.000Z',
    ],
    [
      'open from the midnight after a weekend of 47 hours',
      [SATURDAYS],
      '2026-03-29T12:00:00Z',
      'closed until 2026-03-29T22:00:00.000Z',
    ],
    [
      'closed through a day of 25 hours by two halves of it',
      [HALVES],
      '2026-10-25T10:30:00Z',
      'closed until 2026-10-26T23:00:00.000Z',
    ],
    ['not closed in the second', [NIGHTLY], '2026-10-25T01:30:00Z', 'open until 2026-10-26T01:30:00.000Z'],
  ] as const)('%s', (_what, windows, at, state) => {
    expect(stateOf(windows, at)).toBe(state);
  });

  test('closed for good once an allow has ended', () => {
    expect(stateOf([FREEZE.replace('deny', 'allow')], '2027-02-01T00:00:00Z')).toBe('closed until further notice');
  });

  test.each([
    ['2026-01-10T00:00:00Z', 'closed until 2026-01-10T00:30:00.000Z'],
    ['2026-01-10T12:00:00Z', 'closed until 2026-01-11T00:30:00.000Z'],
    ['2026-01-11T12:00:00Z', 'open until further notice'],
  ])('closed until the end of a rule, which is in UTC: at %s, it is %s', (at, state) => {
    const ending = NIGHTLY.replace('FREQ=DAILY', 'FREQ=DAILY;UNTIL=20260110T013000Z').replace('1h', '23h');

    expect(stateOf([ending], at)).toBe(state);
  });
});

describe('a window is about', () => {
  const about = (more: string) => [FREEZE.replace(' }', `, ${more} }`)];

  test.each([
    ['all roots', 'doors: [apply]', ['dev'], 1],
    ['a repository', 'repositories: [acme/infra]', ['dev'], 1],
    ['another repository', 'repositories: [acme/app]', ['dev'], 0],
    ['a directory', 'roots: [prod/**]', ['prod/net'], 1],
    ['another directory', 'roots: [prod/**]', ['dev'], 0],
    ['one of the directories of a root', 'roots: [prod/**]', ['dev', 'prod/net'], 1],
    ['another door', 'doors: [plan]', ['dev'], 0],
  ])('%s', (_what, more, dirs, count) => {
    expect(placesOf(about(more), dirs)).toHaveLength(count);
  });

  test('each directory of a root: all of them have to be open', () => {
    const always = OFFICE.replace('Office', 'Other').replace('allow,', 'allow, roots: [dev],');
    const never = FREEZE.replace('deny,', 'deny, roots: [prod],');

    const state = windowStateAt(placesOf([always, never], ['dev', 'prod']), Date.parse('2026-12-21T09:00:00Z'));

    expect(state).toMatchObject({ kind: 'closed', by: { name: 'Year end' } });
  });
});

test('rules that begin each hour and never close are looked through in a time that grows as they do', () => {
  const hours = Array.from({ length: 24 }, (_none, hour) => hour).join(',');
  const always = OFFICE.replace(/"FREQ.*?"/, `"FREQ=DAILY;BYHOUR=${hours}"`).replace('9h', '1h');
  const rules = Array.from({ length: ENDLESS_RULES }, (_none, index) => always.replace('Office', `Office ${index}`));

  expect(windowStateAt(placesOf(rules), Date.parse('2026-11-27T17:00:00Z'))).toEqual({ kind: 'open' });
});

test('the next transitions are listed with the windows that begin or end then', () => {
  const transitions = findTransitions(placesOf([OFFICE, FREEZE]), Date.parse('2026-12-18T12:00:00Z'), 3);

  expect(
    transitions.map(({ at, kind, windows }) => [new Date(at).toISOString(), kind, windows.map(({ name }) => name)]),
  ).toEqual([
    ['2026-12-18T16:00:00.000Z', 'closes', ['Office hours']],
    ['2027-01-05T07:00:00.000Z', 'opens', ['Office hours']],
    ['2027-01-05T16:00:00.000Z', 'closes', ['Office hours']],
  ]);
});

test('a state holds until its next transition, and is the other one then', () => {
  const windows = fc.subarray([OFFICE, FREEZE, NIGHTLY, WEEKENDS], { minLength: 1 });
  const minutes = fc.nat(2 * 366 * 1_440);

  fc.assert(
    fc.property(windows, minutes, fc.nat(999), (some, minute, part) => {
      const places = placesOf(some);
      const now = Date.parse('2026-01-01T00:00:00Z') + minute * 60_000;
      const state = windowStateAt(places, now);
      const transition = state.kind === 'open' ? state.closesAt : state.opensAt;
      if (transition === undefined) return;

      const before = now + Math.floor(((transition - 1 - now) * part) / 1_000);
      expect(windowStateAt(places, before).kind).toBe(state.kind);
      expect(windowStateAt(places, transition).kind).not.toBe(state.kind);
    }),
    { numRuns: 200 },
  );
});

describe('in words', () => {
  const now = Date.parse('2026-12-18T12:00:00Z');

  test.each([
    ['2026-12-21T07:00:00Z', 'Mon 08:00 Europe/Berlin'],
    ['2026-12-28T07:00:00Z', 'Mon 28 Dec 08:00 Europe/Berlin'],
    ['2027-01-04T07:00:00Z', 'Mon 4 Jan 2027 08:00 Europe/Berlin'],
  ])('%s is %s', (at, words) => {
    expect(describeTime('Europe/Berlin', Date.parse(at), now)).toBe(words);
  });

  test('a window has its name', () => {
    expect(describeWindow({ name: 'Year end', kind: 'deny' })).toBe('change freeze “Year end”');
    expect(describeWindow({ name: 'Office hours', kind: 'allow' })).toBe('outside of “Office hours”');
  });
});
