import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Priority } from '@nereid/forge';
import { LIMITS } from './shares.ts';
import { BACKGROUND_PLACES, Turns, WAITING_LIMIT, type TurnRequest } from './turns.ts';

let turns: Turns;
let began: string[];
let sentAway: Map<string, number>;

beforeEach(() => {
  turns = new Turns();
  began = [];
  sentAway = new Map();
});

/** A write that asks for its turn. */
function ask(key: string, priority: Priority, now = 0, given: Partial<TurnRequest> = {}): TurnRequest {
  const request: TurnRequest = {
    key,
    priority,
    points: 5,
    restPoints: 0,
    againPoints: 5,
    begin: () => began.push(key),
    sendAway: (retryAfterMs) => sentAway.set(key, retryAfterMs),
    ...given,
  };
  turns.ask(request, now);
  return request;
}

function fillPlaces(): void {
  for (let place = 0; place < BACKGROUND_PLACES; place += 1) ask(`place-${place}`, 'final');
  began = [];
}

describe('a request', () => {
  test('that finds a place and points begins at once', () => {
    ask('one', 'progress');

    expect(began).toEqual(['one']);
  });

  test('that finds no place waits: ends and buttons first, then first check runs, then the first come', () => {
    fillPlaces();
    ask('progress', 'progress');
    ask('first', 'first');
    ask('final', 'final');
    ask('later', 'final');

    for (let place = 0; place < 4; place += 1) turns.end(1);

    expect(began).toEqual(['final', 'later', 'first', 'progress']);
  });

  test('that may not wait long for its turn is sent away while GitHub wants to be left alone for longer', () => {
    turns.close(5_000, 0);
    ask('patient', 'final');
    ask('impatient', 'final', 0, { patienceMs: 1_000 });

    expect([...sentAway.keys()]).toEqual(['impatient']);
    expect(sentAway.get('impatient')).toBeGreaterThanOrEqual(5_000);
  });

  test('that waits and may not wait long is sent away when GitHub wants to be left alone for longer', () => {
    fillPlaces();
    ask('patient', 'final');
    ask('impatient', 'final', 0, { patienceMs: 1_000 });

    turns.close(5_000, 0);

    expect([...sentAway.keys()]).toEqual(['impatient']);
  });

  test('whose time is over while GitHub is slow has met no limit', () => {
    fillPlaces();
    const waits = ask('waits', 'final');

    expect(turns.giveUp(waits, 1_000)).toBe(false);
    expect(sentAway.size).toBe(0);
  });

  test('whose points come back in a few seconds waits for them', () => {
    turns.spend(LIMITS.final, 0);
    ask('waits', 'final', 50_000);

    turns.beginNext(65_000);
    const early = [...began];
    turns.beginNext(66_000);

    expect(early).toEqual([]);
    expect(began).toEqual(['waits']);
  });

  test('whose time is over before its points come back has a reserved turn', () => {
    turns.spend(LIMITS.final, 0);
    const waits = ask('waits', 'final', 50_000);

    expect(turns.giveUp(waits, 60_000)).toBe(true);
    expect(sentAway.get('waits')).toBe(6_000);
  });

  test('for which too many wait already sends the last of them away, for a second at least', () => {
    fillPlaces();
    for (let index = 0; index < WAITING_LIMIT; index += 1) ask(`waits-${index}`, 'progress');

    ask('final', 'final');
    turns.end(1);

    expect([...sentAway.keys()]).toEqual([`waits-${WAITING_LIMIT - 1}`]);
    expect(sentAway.get(`waits-${WAITING_LIMIT - 1}`)).toBeGreaterThanOrEqual(1_000);
    expect(began).toEqual(['final']);
  });

  test('finds room for an end or a button where progress has all that it may', () => {
    turns.spend(LIMITS.progress, 0);

    ask('progress', 'progress');
    ask('final', 'final');

    expect(began).toEqual(['final']);
  });
});

describe('a reserved turn', () => {
  beforeEach(() => {
    turns.spend(LIMITS.final, 0);
    ask('away', 'progress');
  });

  test('is kept from others', () => {
    for (let index = 0; index < 200; index += 1) {
      ask(`other-${index}`, 'final', 66_000);
      if (index >= BACKGROUND_PLACES) turns.end(66_000);
    }
    ask('away', 'progress', 66_000);
    turns.end(66_000);

    expect(sentAway.get('away')).toBe(66_000);
    expect(began).toContain('away');
  });

  test('is void when it is not used', () => {
    expect(turns.snapshot(71_999).reserved).toBe(1);
    expect(turns.snapshot(72_000)).toMatchObject({ reserved: 0, pointsLeft: LIMITS.final });
  });

  test('is the same for a request that comes too early', () => {
    ask('away', 'progress', 60_000);

    expect(sentAway.get('away')).toBe(6_000);
    expect(turns.snapshot(60_000).reserved).toBe(1);
  });

  test('is a better one for a request that has become more important', () => {
    for (let index = 0; index < 200; index += 1) ask(`other-${index}`, 'progress');
    ask('other-199', 'progress', 1_000);
    const before = 1_000 + (sentAway.get('other-199') ?? 0);

    ask('other-199', 'final', 1_000);

    expect(1_000 + (sentAway.get('other-199') ?? 0)).toBeLessThan(before);
    expect(turns.snapshot(1_000).reserved).toBe(201);
  });

  test('lasts for the requests that follow', () => {
    ask('look', 'progress', 0, { points: 1, restPoints: 5, againPoints: 6 });
    turns.spend(LIMITS.final, 66_000);

    ask('look', 'progress', 66_000, { points: 1, restPoints: 5, againPoints: 6 });
    ask('look', 'progress', 70_000);

    expect(began).toEqual(['look', 'look']);
  });
});

describe('while GitHub wants to be left alone', () => {
  test('nothing begins, and afterwards requests begin in order and a few a second', () => {
    turns.close(10_000, 0);
    for (let index = 0; index < 40; index += 1) ask(`waits-${index}`, index < 20 ? 'progress' : 'final');

    turns.beginNext(9_999);
    const early = began.length;
    turns.beginNext(10_000);
    for (let index = 0; index < 40; index += 1) turns.end(10_000);

    expect(early).toBe(0);
    expect(began).toEqual(Array.from({ length: 16 }, (_, index) => `waits-${index + 20}`));
  });

  test('for long, requests that wait are sent away, the most important with the first turns', () => {
    fillPlaces();
    ask('progress', 'progress');
    ask('final', 'final');

    turns.close(60_000, 0);

    expect(sentAway.get('final')).toBe(60_000);
    expect(sentAway.get('progress')).toBeGreaterThan(60_000);
  });

  test('turns until then are void', () => {
    turns.spend(LIMITS.final, 0);
    ask('away', 'final');

    turns.close(100_000, 1_000);
    ask('away', 'final', 66_000);

    expect(sentAway.get('away')).toBe(34_000);
  });
});
