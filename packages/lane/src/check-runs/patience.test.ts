import { describe, expect, test } from '@jest/globals';
import { afterBatch, unhurried, withoutFailed, type Outcome, type Patience } from './patience.ts';

const DURATIONS = { retryMs: 1_000, retryLimitMs: 4_000 };

const after = (before: Patience, outcome: Partial<Outcome>, now: number) =>
  afterBatch(before, { taken: [], failed: [], retryAfterMs: 0, quietMs: 0, ...outcome }, DURATIONS, now);

describe('check runs that GitHub did not take', () => {
  test('wait longer each time that it takes none, up to a limit', () => {
    const waits: number[] = [];
    let patience = unhurried;
    let now = 0;
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      patience = after(patience, { failed: ['one'] }, now);
      waits.push(patience.retryAt - now);
      now = patience.retryAt;
    }

    expect(waits).toEqual([1_000, 2_000, 4_000, 4_000]);
  });

  test('wait the shortest time again when it takes another', () => {
    const first = after(unhurried, { failed: ['one', 'two'] }, 0);
    const second = after(first, { failed: ['one', 'two'] }, 1_000);

    const third = after(second, { failed: ['one'], taken: ['two'] }, 3_000);

    expect([...third.failed]).toEqual(['one']);
    expect(third.retryAt).toBe(4_000);
  });

  test('are tried together: one that fails for the first time waits with those that wait', () => {
    const first = after(unhurried, { failed: ['one'] }, 0);

    const second = after(first, { failed: ['two'] }, 500);

    expect([...second.failed]).toEqual(['one', 'two']);
    expect(second.retryAt).toBe(1_000);
  });

  test('are forgotten when it takes them', () => {
    const first = after(unhurried, { failed: ['one'] }, 0);
    const second = after(first, { failed: ['one'] }, 1_000);

    const third = after(second, { taken: ['one'] }, 3_000);

    expect(third.failed.size).toBe(0);
    expect(after(third, { failed: ['two'] }, 5_000).retryAt).toBe(6_000);
  });

  test('are forgotten with their deployments, and the wait with the last of them', () => {
    const first = after(unhurried, { failed: ['one', 'two'] }, 0);

    const second = withoutFailed(first, (id) => id === 'two');

    expect([...second.failed]).toEqual(['two']);
    expect(second.waitMs).toBe(1_000);
    expect(withoutFailed(second, () => true)).toBe(second);
    expect(withoutFailed(second, () => false)).toMatchObject({ failed: new Set(), waitMs: 0 });
  });

  test('wait as long as it may still be at the last try', () => {
    expect(after(unhurried, { failed: ['one'], retryAfterMs: 12_000 }, 0)).toMatchObject({
      retryAt: 12_000,
      quietUntil: 0,
    });
  });
});

describe('a limit', () => {
  test('keeps everything from being sent for as long as it says', () => {
    expect(after(unhurried, { failed: ['one'], quietMs: 60_000 }, 0).quietUntil).toBe(60_000);
  });

  test('that is met again and again is waited out longer than it says', () => {
    const first = after(unhurried, { failed: ['one'], quietMs: 100 }, 0);
    const second = after(first, { failed: ['one'], quietMs: 100 }, 1_000);

    expect(second.quietUntil).toBe(3_000);
  });
});
