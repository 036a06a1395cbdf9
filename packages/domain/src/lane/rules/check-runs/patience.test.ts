import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '../../../deployment/status.ts';
import { deploymentAt, progressAs } from '../../../testing.ts';
import {
  afterBatch,
  goesBeforeTurn,
  retryAtOf,
  unhurried,
  withoutUnknown,
  type Outcome,
  type Patience,
} from './patience.ts';

const DURATIONS = { retryMs: 1_000, retryLimitMs: 4_000 };

const after = (before: Patience, outcome: Partial<Outcome>, now: number) =>
  afterBatch(before, { taken: [], failed: [], limited: new Map(), retryAfterMs: 0, ...outcome }, DURATIONS, now);

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

    const second = withoutUnknown(first, (id) => id === 'two');

    expect([...second.failed]).toEqual(['two']);
    expect(second.waitMs).toBe(1_000);
    expect(withoutUnknown(second, () => true)).toBe(second);
    expect(withoutUnknown(second, () => false)).toMatchObject({ failed: new Set(), waitMs: 0 });
  });

  test('wait as long as it may still be at the last try', () => {
    expect(after(unhurried, { failed: ['one'], retryAfterMs: 12_000 }, 0).retryAt).toBe(12_000);
  });
});

describe('a limit', () => {
  const limited = new Map([['one', { at: 60_000, appearance: 'planning' }]]);

  test('gives a check run a turn of its own, for which no other waits', () => {
    const patience = after(unhurried, { limited, failed: ['two'] }, 0);

    expect(retryAtOf(patience, 'one')).toBe(60_000);
    expect(retryAtOf(patience, 'two')).toBe(1_000);
    expect(retryAtOf(patience, 'three')).toBeUndefined();
  });

  test('lets a button or an end go before the turn of what was less', () => {
    const patience = after(unhurried, { limited }, 0);

    const as = (id: string, status: DeploymentStatus) => ({
      deployment: { ...deploymentAt(1), id, progress: progressAs(status) },
    });

    expect(goesBeforeTurn(patience, as('one', 'succeeded'), 'applied')).toBe(true);
    expect(goesBeforeTurn(patience, as('one', 'awaiting-review'), 'a plan')).toBe(true);
    expect(goesBeforeTurn(patience, as('one', 'queued'), 'another position')).toBe(false);
    expect(goesBeforeTurn(patience, as('one', 'succeeded'), 'planning')).toBe(false);
    expect(goesBeforeTurn(patience, as('two', 'succeeded'), 'applied')).toBe(false);
  });

  test('is over for what GitHub took, or failed to take, since', () => {
    const patience = after(unhurried, { limited }, 0);

    expect(retryAtOf(after(patience, { taken: ['one'] }, 60_000), 'one')).toBeUndefined();
    expect(retryAtOf(after(patience, { failed: ['one'] }, 60_000), 'one')).toBe(61_000);
    expect(
      retryAtOf(
        withoutUnknown(patience, () => false),
        'one',
      ),
    ).toBeUndefined();
  });
});
