import { describe, expect, test } from '@jest/globals';
import { dayIn, describeHours, firstDueAt, heldBackUntil, isHeldBack, type DeliveryHours } from './delivery-hours.ts';
import { timeOfDay } from '../windows/time-of-day.ts';

const at = (time: string) => Date.parse(`${time}Z`);
const said = (time: number | undefined) => time && new Date(time).toISOString().slice(0, 16);

const quiet = (from: string, to: string, more: Partial<NonNullable<DeliveryHours['quiet']>> = {}): DeliveryHours => ({
  quiet: { fromMs: timeOfDay(from), toMs: timeOfDay(to), timezone: 'Europe/Berlin', passing: [], ...more },
});
const NIGHT = quiet('18:00', '08:00');
const DIGEST: DeliveryHours = { digest: { atMs: timeOfDay('09:00'), timezone: 'Europe/Berlin' } };

describe('quiet hours end by the clocks of their zone', () => {
  test.each([
    ['in the evening', NIGHT, '2026-11-29T17:00', '2026-11-30T07:00'],
    ['after midnight', NIGHT, '2026-11-30T06:59', '2026-11-30T07:00'],
    ['at their end', NIGHT, '2026-11-30T07:00', undefined],
    ['by day', NIGHT, '2026-11-30T16:59', undefined],
    ['in the night in which summer time begins', NIGHT, '2026-03-28T20:00', '2026-03-29T06:00'],
    ['in the night in which it ends', NIGHT, '2026-10-24T20:00', '2026-10-25T07:00'],
    ['in hours of one day', quiet('12:00', '13:00'), '2026-11-29T11:30', '2026-11-29T12:00'],
    ['after hours of one day', quiet('12:00', '13:00'), '2026-11-29T12:30', undefined],
    ['until an hour that is skipped', quiet('18:00', '02:30'), '2026-03-28T20:00', '2026-03-29T01:00'],
    ['until an hour that comes twice', quiet('18:00', '02:30'), '2026-10-24T20:00', '2026-10-25T00:30'],
  ])('%s', (_when, hours, now, expected) => {
    expect(said(heldBackUntil(hours, at(now), at(now)))).toBe(expected);
  });
});

test('what came in quiet hours is due at their end, and everything else at once', () => {
  expect(said(firstDueAt(NIGHT, at('2026-11-29T20:00')))).toBe('2026-11-30T07:00');
  expect(said(firstDueAt(NIGHT, at('2026-11-29T12:00')))).toBe('2026-11-29T12:00');
  expect(heldBackUntil({}, at('2026-11-29T20:00'), at('2026-11-29T20:00'))).toBeUndefined();
});

test('what came before quiet hours, and could not be delivered, waits for their end, too', () => {
  expect(said(heldBackUntil(NIGHT, at('2026-11-29T12:00'), at('2026-11-29T20:00')))).toBe('2026-11-30T07:00');
});

test('where some topics pass, only the others wait', () => {
  const hours = quiet('18:00', '08:00', { passing: ['failed'] });
  const [night, day] = [at('2026-11-29T20:00'), at('2026-11-29T12:00')];

  expect(heldBackUntil(hours, night, night)).toBeUndefined();
  expect(isHeldBack(hours, 'failed', night)).toBe(false);
  expect(isHeldBack(hours, 'locked', night)).toBe(true);
  expect(isHeldBack(hours, 'locked', day)).toBe(false);
});

test('a digest is due at its time after a notification came, also on the days of 23 and 25 hours', () => {
  const due = (arrived: string) => said(firstDueAt(DIGEST, at(arrived)));

  expect(due('2026-11-29T07:59')).toBe('2026-11-29T08:00');
  expect(due('2026-11-29T08:00')).toBe('2026-11-30T08:00');
  expect(due('2026-03-28T12:00')).toBe('2026-03-29T07:00');
  expect(due('2026-10-24T12:00')).toBe('2026-10-25T08:00');
  expect(said(heldBackUntil(DIGEST, at('2026-11-29T12:00'), at('2026-11-29T13:00')))).toBe('2026-11-30T08:00');
  expect(heldBackUntil(DIGEST, at('2026-11-29T12:00'), at('2026-11-30T08:00'))).toBeUndefined();
});

test('people read until when a destination is quiet, and when its next digest comes', () => {
  expect(describeHours(NIGHT, at('2026-11-29T20:00'))).toBe('quiet until Mon 08:00 Europe/Berlin');
  expect(describeHours(NIGHT, at('2026-11-29T12:00'))).toBeUndefined();
  expect(describeHours(DIGEST, at('2026-11-29T20:00'))).toBe('next digest Mon 09:00 Europe/Berlin');
});

test('a day is that of the zone', () => {
  expect(dayIn('Europe/Berlin', at('2026-11-29T23:30'))).toBe('2026-11-30');
});
