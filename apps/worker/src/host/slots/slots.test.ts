import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSlots, UNCONFIRMED_SLOT_MS, type EndWork, type Slots } from './slots.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const never = new AbortController().signal;

describe('a claim', () => {
  test('takes a free slot', () => {
    const slots = createSlots(() => 2);

    expect(slots.claim('d1')).toBe(true);
    expect(slots.usage()).toEqual({ total: 2, used: 1, draining: false, previews: { total: 2, used: 0 }, borrowed: 0 });
  });

  test('that comes again keeps the slot it has', () => {
    const slots = fullWith('d1');

    expect(slots.claim('d1')).toBe(true);
    expect(slots.usage().used).toBe(1);
  });

  test('is declined where no slot is free', () => {
    const slots = fullWith('d1');

    expect(slots.claim('d2')).toBe(false);
    expect(slots.usage().used).toBe(1);
  });

  test('whose answer was lost gives its slot back within seconds', () => {
    const slots = fullWith('lost');

    jest.advanceTimersByTime(UNCONFIRMED_SLOT_MS);

    expect(UNCONFIRMED_SLOT_MS).toBeLessThan(60_000);
    expect(slots.claim('d2')).toBe(true);
  });

  test('is confirmed by the first work of its deployment', async () => {
    const slots = fullWith('d1');

    await slots.begin('d1', { signal: never });
    jest.advanceTimersByTime(UNCONFIRMED_SLOT_MS);

    expect(slots.usage().used).toBe(1);
  });

  test('while older work of the deployment still ends keeps the slot for the work to come', async () => {
    const slots = fullWith('d1');
    const endOlder = await begun(slots, 'd1');
    slots.claim('d1');

    endOlder();

    expect(slots.usage().used).toBe(1);
    (await begun(slots, 'd1'))();
    expect(slots.usage().used).toBe(0);
  });
});

describe('work', () => {
  test('whose deployment has no slot waits for one, and goes before every claim', async () => {
    const slots = createSlots(() => 1);
    const end = await begun(slots, 'd1');
    const work = slots.begin('d2', { signal: never });
    let told = 0;
    slots.onFreed(() => (told += 1));

    end();

    expect(told).toBe(1);
    expect(slots.claim('d3')).toBe(false);
    (await work)?.();
    expect(slots.claim('d3')).toBe(true);
  });

  test('is served in the order in which it came', async () => {
    const slots = createSlots(() => 1);
    let end = await begun(slots, 'd1');
    const order: string[] = [];
    const works = ['d2', 'd3'].map(async (id) => {
      const endThis = await begun(slots, id);
      order.push(id);
      return endThis;
    });

    for (const work of works) {
      end();
      end = await work;
    }

    expect(order).toEqual(['d2', 'd3']);
  });

  test('of one deployment takes one slot, which is free when the last of it ended', async () => {
    const slots = fullWith('d1');
    const waiting = [slots.begin('d2', { signal: never }), slots.begin('d2', { signal: never })];
    slots.release('d1');
    const ends = await Promise.all(waiting);

    expect(slots.usage().used).toBe(1);
    ends[0]?.();
    ends[0]?.();
    expect(slots.usage().used).toBe(1);
    ends[1]?.();
    expect(slots.usage().used).toBe(0);
  });

  test('waits as long as it was told to', async () => {
    const slots = fullWith('d1');
    const work = slots.begin('d2', { signal: never, waitMs: 5_000 });

    jest.advanceTimersByTime(5_000);

    expect(await work).toBeUndefined();
    slots.release('d1');
    expect(slots.usage().used).toBe(0);
  });

  test('that is asked to stop does not wait, and takes no slot', async () => {
    const slots = fullWith('d1');
    const stop = new AbortController();
    const work = slots.begin('d2', { signal: stop.signal });

    stop.abort();

    expect(await work).toBeUndefined();
    expect(await slots.begin('d3', { signal: stop.signal })).toBeUndefined();
    slots.release('d1');
    expect(slots.usage().used).toBe(0);
  });

  test('gets the slot that a reload adds', async () => {
    let total = 1;
    const slots = createSlots(() => total);
    slots.claim('d1');
    const work = slots.begin('d2', { signal: never });

    total = 2;
    slots.recount();

    expect(await work).toBeDefined();
  });

  test('that runs in any case is counted beyond the total', () => {
    const slots = fullWith('d1');

    const end = slots.countRunning('d2');

    expect(slots.usage()).toMatchObject({ total: 1, used: 2 });
    end();
    expect(slots.claim('d3')).toBe(false);
  });

  test('begins on the slot of what runs of its deployment in any case', async () => {
    const slots = fullWith('d1');
    const work = slots.begin('d2', { signal: never });

    slots.countRunning('d2');

    expect(await work).toBeDefined();
    expect(slots.usage().used).toBe(2);
  });
});

test('a slot that is released twice is one free slot', () => {
  const slots = fullWith('d1');

  slots.release('d1');
  slots.release('d1');

  expect(slots.usage().used).toBe(0);
});

describe('a host that drains', () => {
  test('gives no slot, also when one is free', async () => {
    const slots = createSlots(() => 1);
    slots.drain();

    expect(slots.claim('d1')).toBe(false);
    expect(await slots.begin('d1', { signal: never })).toBeUndefined();
  });

  test('lets nothing wait for a slot', async () => {
    const slots = fullWith('d1');
    const work = slots.begin('d2', { signal: never });

    slots.drain();

    expect(await work).toBeUndefined();
  });

  test('leaves the slots that are held to their deployments', async () => {
    const slots = fullWith('d1');
    slots.drain();

    expect(await slots.begin('d1', { signal: never })).toBeDefined();
  });
});

describe('a host that drains because somebody asked for it', () => {
  test('gives slots again when it is resumed, and says that one is free', () => {
    const slots = createSlots(() => 1);
    let freed = 0;
    slots.drain('asked');
    slots.onFreed(() => (freed += 1));
    expect([slots.claim('d1'), slots.usage().draining, slots.freeForMs()]).toEqual([false, true, 0]);

    slots.resume();

    expect([slots.claim('d1'), slots.usage().draining, freed]).toEqual([true, false, 1]);
  });

  test('gives no slots again when the worker stops meanwhile', () => {
    const slots = createSlots(() => 1);
    slots.drain('asked');
    slots.drain();

    slots.resume();

    expect([slots.claim('d1'), slots.usage().draining]).toEqual([false, true]);
  });
});

function fullWith(deploymentId: string): Slots {
  const slots = createSlots(() => 1);
  slots.claim(deploymentId);
  return slots;
}

async function begun(slots: Slots, deploymentId: string): Promise<EndWork> {
  const end = await slots.begin(deploymentId, { signal: never });
  if (end === undefined) throw new Error(`expected a slot for ${deploymentId}, found none`);
  return end;
}
