import { describe, expect, test } from '@jest/globals';
import { pauseAfterWrites, pauseUntilLook, WRITES_LIMIT } from './pace.ts';

/** When the writes of a rollout begin that changes all the time, in milliseconds. */
function writesOfABusyRollout(): readonly number[] {
  const times = [0];
  for (let writes = 1; Number.isFinite(pauseAfterWrites(writes)); writes += 1)
    times.push((times.at(-1) ?? 0) + pauseAfterWrites(writes));
  return times;
}

describe('the check run of a rollout', () => {
  test('is written every two seconds at first, then at growing pauses of up to half a minute', () => {
    const pauses = Array.from({ length: 46 }, (_, writes) => pauseAfterWrites(writes));

    expect(pauses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 2_000));
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.at(-1)).toBe(30_000);
  });

  test('is written so often at most, its end included, however long it takes', () => {
    const times = writesOfABusyRollout();

    expect(times).toHaveLength(WRITES_LIMIT - 1);
    expect(times.filter((time) => time < 60_000).length).toBeGreaterThan(20);
    expect(times.at(-1)).toBeGreaterThan(24 * 3_600_000);
  });
});

describe('the roots are looked at', () => {
  test.each([
    ['at once after a change', { quietMs: 0, isAtWork: false }, 2_000],
    ['more rarely while nothing changes', { quietMs: 100_000, isAtWork: true }, 10_000],
    ['twice a minute while a host is at work', { quietMs: 3_600_000, isAtWork: true }, 30_000],
    ['every five minutes while all wait for people', { quietMs: 86_400_000, isAtWork: false }, 300_000],
  ])('%s', (_when, state, ms) => {
    expect(pauseUntilLook(state)).toBe(ms);
  });
});
