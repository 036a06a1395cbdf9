/** The part of a host's slots that previews may hold. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSlots } from './slots.ts';

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

describe('previews', () => {
  test('hold no more than their part of the slots, and deployments find the rest', () => {
    const slots = aHost(3, 1);

    expect(slots.claim('p1', 'preview')).toBe(true);
    expect(slots.claim('p2', 'preview')).toBe(false);

    expect(slots.claim('d1')).toBe(true);
    expect(slots.claim('d2')).toBe(true);
    expect(slots.usage()).toMatchObject({ total: 3, used: 3, previews: { total: 1, used: 1 } });
  });

  test('get no slot that deployments hold', () => {
    const slots = aHost(1, 1);
    slots.claim('d1');

    expect(slots.claim('p1', 'preview')).toBe(false);
  });

  test('that wait for their part hold up no deployment', async () => {
    const slots = aHost(2, 1);
    const end = await slots.begin('p1', { signal: never, use: 'preview' });
    const waiting = slots.begin('p2', { signal: never, use: 'preview' });

    expect(slots.claim('d1')).toBe(true);
    end?.();
    expect(await waiting).toBeDefined();
  });

  test('that wait are passed by deployments that wait, where only a slot of those is free', async () => {
    const slots = aHost(2, 1);
    await slots.begin('p1', { signal: never, use: 'preview' });
    const end = await slots.begin('d1', { signal: never });
    const preview = slots.begin('p2', { signal: AbortSignal.abort(), use: 'preview' });
    const deployment = slots.begin('d2', { signal: never });

    end?.();

    expect(await deployment).toBeDefined();
    expect(await preview).toBeUndefined();
  });

  test('count as such from their work on, whatever their claims said', async () => {
    const slots = aHost(3, 1);
    slots.claim('p1');
    expect(slots.usage().previews.used).toBe(0);

    await slots.begin('p1', { signal: never, use: 'preview' });

    expect(slots.claim('p2', 'preview')).toBe(false);
  });

  test('hold at most all slots, however many the server grants them', () => {
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
