import { describe, expect, test } from '@jest/globals';
import { createSlots, type Slots } from './slots.ts';

/** Far more than a test takes. */
const LONG_MS = 20_000;

describe('a claim', () => {
  test('takes a free slot', async () => {
    const slots = createSlots(() => 2);

    expect(await slots.take('d1', 0)).toBe(true);
    expect(slots.usage()).toEqual({ total: 2, used: 1, draining: false });
  });

  test('that comes again keeps the slot it has', async () => {
    const slots = await fullWith('d1');

    expect(await slots.take('d1', 0)).toBe(true);
    expect(slots.usage().used).toBe(1);
  });

  test('is declined when no slot becomes free in time', async () => {
    const slots = await fullWith('d1');

    expect(await slots.take('d2', 1)).toBe(false);
    expect(slots.usage().used).toBe(1);
  });

  test('that waits gets the slot that is released', async () => {
    const slots = await fullWith('d1');
    const waiting = slots.take('d2', LONG_MS);

    slots.release('d1');

    expect(await waiting).toBe(true);
    expect(slots.usage().used).toBe(1);
  });

  test('is served before those that came later', async () => {
    const slots = await fullWith('d1');
    const order: string[] = [];
    const waiting = ['d2', 'd3'].map((id) => slots.take(id, LONG_MS).then(() => order.push(id)));

    slots.release('d1');
    await waiting[0];
    slots.release('d2');
    await waiting[1];

    expect(order).toEqual(['d2', 'd3']);
  });

  test('that was asked twice takes one slot, which the clock does not free under its work', async () => {
    const slots = createSlots(() => 2, 1);
    for (const id of ['d1', 'd2']) await holdAndUse(slots, id);
    const attempts = [slots.take('d3', LONG_MS), slots.take('d3', LONG_MS)];
    void attempts[0]?.then(() => slots.use('d3'));

    slots.release('d1');
    slots.release('d2');
    await Promise.all(attempts);

    // Were there a clock left of the second attempt, it would free the slot before this one is.
    await slots.take('d4', LONG_MS);
    await until(() => slots.usage().used === 1);
    expect(await slots.take('d3', 0)).toBe(true);
    expect(slots.usage().used).toBe(1);
  });
});

describe('a slot', () => {
  test('on which nothing of its deployment ran is freed: the answer of its claim was lost', async () => {
    const slots = createSlots(() => 1, 1);
    await slots.take('lost', 0);

    expect(await slots.take('d2', LONG_MS)).toBe(true);
  });

  test('on which its deployment runs is not freed by the clock', async () => {
    const slots = createSlots(() => 2, 1);
    await holdAndUse(slots, 'd1');

    await slots.take('lost', 0);
    await until(() => slots.usage().used === 1);

    expect(slots.usage().used).toBe(1);
  });

  test('that is released twice is one free slot', async () => {
    const slots = await fullWith('d1');

    slots.release('d1');
    slots.release('d1');

    expect(slots.usage().used).toBe(0);
  });
});

describe('a host that drains', () => {
  test('gives no slot, also when one is free', async () => {
    const slots = createSlots(() => 1);
    slots.drain();

    expect(await slots.take('d1', LONG_MS)).toBe(false);
  });

  test('declines claims that wait at once', async () => {
    const slots = await fullWith('d1');
    const waiting = slots.take('d2', LONG_MS);

    slots.drain();

    expect(await waiting).toBe(false);
  });

  test('leaves the slots that are held to their deployments', async () => {
    const slots = await fullWith('d1');
    slots.drain();

    expect(await slots.take('d1', 0)).toBe(true);
  });
});

async function fullWith(deploymentId: string): Promise<Slots> {
  const slots = createSlots(() => 1);
  await slots.take(deploymentId, 0);
  return slots;
}

async function holdAndUse(slots: Slots, deploymentId: string): Promise<void> {
  await slots.take(deploymentId, 0);
  slots.use(deploymentId);
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + LONG_MS;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('expected a slot to be freed by the clock, none was');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
