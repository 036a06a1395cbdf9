import { expect, test } from '@jest/globals';
import { workedMs, type WorkingHours } from './working-hours.ts';

const HOUR_MS = 3_600_000;

const office: WorkingHours = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  fromMs: 9 * HOUR_MS,
  toMs: 17 * HOUR_MS,
  timezone: 'Europe/Berlin',
};

const hours = (from: string, to: string, own: WorkingHours | undefined = office) =>
  workedMs(own, Date.parse(from), Date.parse(to)) / HOUR_MS;

test('without working hours, all of the time counts', () => {
  expect(workedMs(undefined, 1_000, 5_000)).toBe(4_000);
});

test.each([
  ['within a day', '2026-01-05T08:00:00Z', '2026-01-05T10:00:00Z', 2],
  ['from before the morning until after the evening', '2026-01-05T03:00:00Z', '2026-01-05T22:00:00Z', 8],
  ['over a night', '2026-01-05T15:00:00Z', '2026-01-06T09:00:00Z', 2],
  ['over a weekend', '2026-01-09T15:00:00Z', '2026-01-12T09:00:00Z', 2],
  ['within a weekend', '2026-01-10T00:00:00Z', '2026-01-11T20:00:00Z', 0],
  ['in a week', '2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z', 40],
  ['in the week in which summer time begins', '2026-03-27T00:00:00Z', '2026-04-03T00:00:00Z', 40],
])('of a wait, the hours of the office count: %s', (_what, from, to, expected) => {
  expect(hours(from, to)).toBe(expected);
});

test('a night without one of its hours is an hour shorter', () => {
  const night: WorkingHours = { ...office, days: ['sun'], fromMs: 0, toMs: 6 * HOUR_MS };

  expect(hours('2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z', night)).toBe(5);
});

test('hours may last until midnight', () => {
  const always: WorkingHours = { ...office, days: ['mon', 'tue'], fromMs: 0, toMs: 24 * HOUR_MS };

  expect(hours('2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z', always)).toBe(24);
});

test('a beginning that nobody can tell counts for nothing', () => {
  expect(workedMs(office, Number.NaN, Date.parse('2026-01-06T00:00:00Z'))).toBe(0);
});
