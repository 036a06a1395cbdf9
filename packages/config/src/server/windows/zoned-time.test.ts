import { describe, expect, test } from '@jest/globals';
import { instantOf, isTimeZone, wallAt } from './zoned-time.ts';

const iso = (zone: string, wall: string) => new Date(instantOf(zone, Date.parse(`${wall}Z`))).toISOString();

test.each(['Europe/Berlin', 'America/New_York', 'UTC', 'Etc/GMT+5'])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each(['Europe/Berlinn', '+01:00', '', 'constructor'])('%j is no time zone', (name) => {
  expect(isTimeZone(name)).toBe(false);
});

describe('a time on the clocks of a zone', () => {
  test.each([
    ['in winter', 'Europe/Berlin', '2026-01-05T08:00:00', '2026-01-05T07:00:00.000Z'],
    ['in summer', 'Europe/Berlin', '2026-07-05T08:00:00', '2026-07-05T06:00:00.000Z'],
    [
      'that summer time skips is the end of what is skipped',
      'Europe/Berlin',
      '2026-03-29T02:30:00',
      '2026-03-29T01:00:00.000Z',
    ],
    ['that comes twice is the first', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['before it comes twice', 'Europe/Berlin', '2026-10-25T01:59:00', '2026-10-24T23:59:00.000Z'],
    ['after it came twice', 'Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ['that is skipped by half an hour', 'Australia/Lord_Howe', '2026-10-04T02:10:00', '2026-10-03T15:30:00.000Z'],
    ['of a day that was skipped', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_what, zone, wall, at) => {
    expect(iso(zone, wall)).toBe(at);
  });

  test('is what they show then, hour by hour through a year', () => {
    for (let at = Date.parse('2026-01-01T00:00:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += 3_600_000) {
      const again = instantOf('America/New_York', wallAt('America/New_York', at));

      // The second of two equal hours is read as the first.
      expect([0, 3_600_000]).toContain(at - again);
    }
  });
});
