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
    const ends = await Promise.all(['d1', 'd2'].map((id) => holdAndUse(slots, id)));
    const attempts = [slots.take('d3', LONG_MS), slots.take('d3', LONG_MS)];
    void attempts[0]?.then(() => slots.use('d3'));

    for (const end of ends) end();
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

  test('that somebody else left over wakes the next one who waits, although it was not needed', async () => {
    const slots = createSlots(() => 2);
    const ends = await Promise.all(['d1', 'd2'].map((id) => holdAndUse(slots, id)));
    const waiting = ['d3', 'd3', 'd4'].map((id) => slots.take(id, LONG_MS));

    for (const end of ends) end();

    expect(await Promise.all(waiting)).toEqual([true, true, true]);
    expect(slots.usage().used).toBe(2);
  });

  test('is free when the last work of its deployment ended', async () => {
    const slots = createSlots(() => 1);
    const ends = [await holdAndUse(slots, 'd1'), slots.use('d1')];

    ends[0]?.();
    ends[0]?.();
    expect(slots.usage().used).toBe(1);

    ends[1]?.();
    expect(slots.usage().used).toBe(0);
  });

  test('that was claimed again is not given back by the end of older work', async () => {
    const slots = createSlots(() => 1);
    const endOlder = await holdAndUse(slots, 'd1');
    await slots.take('d1', 0);

    endOlder();

    expect(slots.usage().used).toBe(1);
    slots.use('d1')();
    expect(slots.usage().used).toBe(0);
  });

  test('is there for work that comes without a claim, beyond the total', async () => {
    const slots = await fullWith('d1');

    const end = slots.use('d2');

    expect(slots.usage()).toMatchObject({ total: 1, used: 2 });
    end();
    expect(await slots.take('d3', 0)).toBe(false);
  });

  test('that a reload adds is given to who waits', async () => {
    let total = 1;
    const slots = createSlots(() => total);
    await slots.take('d1', 0);
    const waiting = slots.take('d2', LONG_MS);

    total = 2;
    slots.recount();

    expect(await waiting).toBe(true);
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

async function holdAndUse(slots: Slots, deploymentId: string): Promise<() => void> {
  await slots.take(deploymentId, 0);
  return slots.use(deploymentId);
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + LONG_MS;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('expected a slot to be freed by the clock, none was');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
