/** The slots of a host that previews keep, and those that they borrow. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSlots, UNCONFIRMED_SLOT_MS, type Slots } from './slots.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const never = new AbortController().signal;

function aHost(total: number, previews: number) {
  return createSlots(() => total, { previews: () => previews });
}

/** Work of a preview, which notes when it was interrupted. */
async function aPreview(slots: Slots, id: string, interrupted: string[] = []) {
  return slots.begin(id, { signal: never, interrupt: () => interrupted.push(id) });
}

describe('previews', () => {
  test('hold all slots while nothing else wants one', () => {
    const slots = aHost(3, 1);

    expect(['p1', 'p2', 'p3', 'p4'].map((id) => slots.claim(id, 'preview'))).toEqual([true, true, true, false]);
    expect(slots.usage()).toMatchObject({ total: 3, used: 3, previews: { total: 1, used: 3 }, borrowed: 2 });
  });

  test('get no slot that deployments hold', () => {
    const slots = aHost(1, 1);
    slots.claim('d1');

    expect(slots.claim('p1', 'preview')).toBe(false);
  });

  test('give up what they borrowed to the claims of deployments at once, the newest first, and keep their part', async () => {
    const slots = aHost(3, 1);
    const interrupted: string[] = [];
    for (const id of ['p1', 'p2', 'p3']) await aPreview(slots, id, interrupted);

    expect(slots.claim('d1')).toBe(true);
    expect(interrupted).toEqual(['p3']);
    expect(slots.claim('d2')).toBe(true);
    expect(interrupted).toEqual(['p3', 'p2']);
    expect(slots.claim('d3')).toBe(false);

    expect(slots.holders()).toEqual(['p1', 'd1', 'd2']);
    expect(slots.usage()).toMatchObject({ used: 3, previews: { used: 1 }, borrowed: 0 });
  });

  test('are interrupted for no deployment that finds a free slot, or has one', async () => {
    const slots = aHost(3, 1);
    const interrupted: string[] = [];
    for (const id of ['p1', 'p2']) await aPreview(slots, id, interrupted);

    slots.claim('d1');
    await slots.begin('d1', { signal: never });
    slots.claim('d1');

    expect(interrupted).toEqual([]);
  });

  test('give up what they borrowed to the work of deployments, also to what runs in any case', async () => {
    const slots = aHost(3, 1);
    const interrupted: string[] = [];
    for (const id of ['p1', 'p2', 'p3']) await aPreview(slots, id, interrupted);

    expect(await slots.begin('d1', { signal: never })).toBeDefined();
    slots.countRunning('d2');

    expect(interrupted).toEqual(['p3', 'p2']);
    expect(slots.usage().used).toBe(3);
  });

  test('give up a borrowed slot that was only claimed: their work waits for the next one', async () => {
    const slots = aHost(2, 1);
    const end = await aPreview(slots, 'p1');
    slots.claim('p2', 'preview');
    slots.claim('d1');
    const waiting = aPreview(slots, 'p2');
    jest.advanceTimersByTime(UNCONFIRMED_SLOT_MS - 1);
    expect(slots.holders()).toEqual(['p1', 'd1']);

    end?.();

    expect(await waiting).toBeDefined();
    expect(slots.holders()).toEqual(['d1', 'p2']);
  });

  test('that were interrupted give back nothing when they end: others have the slot, or they themselves again', async () => {
    const slots = aHost(2, 1);
    const endFirst = await aPreview(slots, 'p1');
    const end = await aPreview(slots, 'p2');
    await slots.begin('d1', { signal: never });
    endFirst?.();
    slots.claim('p2', 'preview');
    end?.();

    expect(slots.holders()).toEqual(['d1', 'p2']);
  });

  test('that run in any case keep their slots, and those that came later are interrupted instead', async () => {
    const slots = aHost(2, 1);
    const interrupted: string[] = [];
    await aPreview(slots, 'p1', interrupted);
    const end = slots.countRunning('p2', 'preview');

    expect(slots.claim('d1')).toBe(true);
    expect(interrupted).toEqual(['p1']);
    expect(slots.claim('d2')).toBe(false);
    end();
    expect(slots.claim('d2')).toBe(true);
  });

  test('that wait are passed by deployments that wait', async () => {
    const slots = aHost(1, 1);
    const end = await aPreview(slots, 'p1');
    const preview = slots.begin('p2', { signal: AbortSignal.abort(), interrupt: () => undefined });
    const deployment = slots.begin('d2', { signal: never });

    end?.();

    expect(await deployment).toBeDefined();
    expect(await preview).toBeUndefined();
  });

  test('hold up no deployment while they wait', async () => {
    const slots = aHost(2, 1);
    for (const id of ['p1', 'p2']) await aPreview(slots, id);
    void aPreview(slots, 'p3');

    expect(slots.claim('d1')).toBe(true);
  });

  test('count as such from their work on, whatever their claims said', async () => {
    const slots = aHost(3, 1);
    slots.claim('p1');
    expect(slots.usage().previews.used).toBe(0);

    await aPreview(slots, 'p1');

    expect(slots.usage().previews.used).toBe(1);
  });

  test('may keep at most all slots, however many the server grants them', () => {
    expect(aHost(2, 9).usage().previews.total).toBe(2);
  });
});

test('a slot is free for deployments since the last one was taken, or not at all', () => {
  const slots = aHost(1, 1);
  jest.advanceTimersByTime(400);
  expect(slots.freeForMs()).toBe(400);

  slots.claim('p1', 'preview');
  expect(slots.freeForMs()).toBe(0);
  jest.advanceTimersByTime(100);
  slots.release('p1');
  jest.advanceTimersByTime(50);

  expect(slots.freeForMs()).toBe(50);
});
