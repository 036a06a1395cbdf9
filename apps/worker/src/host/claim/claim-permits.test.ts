import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { DECLINED_CLAIM_MS } from '@nereid/domain/host';
import type { SlotReserveContext } from '@temporalio/worker';
import { createClaimPermits } from './claim-permits.ts';
import type { SlotUse } from '../slots/slot-usage.ts';
import { createSlots } from '../slots/slots.ts';

const context: SlotReserveContext = {
  slotType: 'activity',
  taskQueue: 'terraform',
  workerIdentity: 'w1',
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the type demands it
  workerBuildId: '',
  isSticky: false,
};
const released = { permit: {} };
const used = { permit: {}, slotInfo: { type: 'activity', activityType: 'claimAndPlan' } } as const;
const never = new AbortController().signal;

/** A host with so many slots, and those of its permits that were given, in order. */
function aHost(total: number, use: SlotUse = 'deployment', previews = total) {
  const slots = createSlots(() => total, { previews: () => previews });
  const permits = createClaimPermits(slots, use);
  const given: string[] = [];
  return {
    slots,
    permits,
    given,
    reserve: (name: string, signal = never) =>
      permits.reserveSlot(context, signal).then(
        () => given.push(name),
        (error: unknown) => given.push(`${name}: ${String(error).split(':')[0]}`),
      ),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

test('a host polls for as many claims as it has free slots', async () => {
  const host = aHost(2);
  host.slots.claim('d1');

  void host.reserve('first');
  void host.reserve('second');
  await host.settled();

  expect(host.given).toEqual(['first']);
});

test('who waits for permission to poll gets it, in order, when a slot becomes free', async () => {
  const host = aHost(1);
  const end = host.slots.countRunning('d1');
  void host.reserve('first');
  void host.reserve('second');

  end();
  await host.settled();
  expect(host.given).toEqual(['first']);

  host.permits.releaseSlot(released);
  await host.settled();
  expect(host.given).toEqual(['first', 'second']);
});

test('a plan holds its slot alone: its permit, which the SDK keeps until its end, holds back no other slot', async () => {
  const host = aHost(2);
  await host.reserve('first');
  host.slots.claim('d1');
  host.permits.decided();

  void host.reserve('second');
  void host.reserve('third');
  await host.settled();
  expect(host.given).toEqual(['first', 'second']);

  host.slots.release('d1');
  host.permits.releaseSlot(used);
  await host.settled();
  expect(host.given).toEqual(['first', 'second', 'third']);
});

test('the permit of a claim that could not be read is given again', async () => {
  const host = aHost(1);
  await host.reserve('first');
  void host.reserve('second');

  host.permits.releaseSlot(used);
  await host.settled();

  expect(host.given).toEqual(['first', 'second']);
});

test('a poll that ended with a claim is followed by another one only while a slot is left', async () => {
  const host = aHost(1);
  await host.reserve('first');
  host.slots.claim('d1');

  host.permits.releaseSlot(released);
  void host.reserve('second');
  await host.settled();

  expect(host.given).toEqual(['first']);
});

test('a slot that becomes free is not polled for while work waits for it', async () => {
  const host = aHost(1);
  const end = host.slots.countRunning('d1');
  const work = host.slots.begin('d2', { signal: never });
  void host.reserve('first');

  end();
  await host.settled();
  expect(host.given).toEqual([]);

  (await work)?.();
  await host.settled();
  expect(host.given).toEqual(['first']);
});

test('a host polls for deployments while previews borrow slots, and not for the part that previews keep', async () => {
  const host = aHost(3, 'deployment', 1);
  for (const id of ['p1', 'p2', 'p3']) host.slots.claim(id, 'preview');

  for (const name of ['first', 'second', 'third']) void host.reserve(name);
  await host.settled();

  expect(host.given).toEqual(['first', 'second']);
});

test('a host that drains polls no more', async () => {
  const host = aHost(1);
  host.slots.drain();

  void host.reserve('first');
  await host.settled();

  expect(host.given).toEqual([]);
  expect(host.permits.tryReserveSlot(context)).toBeNull();
});

test('more slots after a reload are polled for', async () => {
  let total = 0;
  const slots = createSlots(() => total);
  const reserved = createClaimPermits(slots, 'deployment').reserveSlot(context, never);

  total = 1;
  slots.recount();

  await expect(reserved).resolves.toBeDefined();
});

test('who does not want to wait any more is told so, and holds nothing up', async () => {
  const host = aHost(1);
  const end = host.slots.countRunning('d1');
  const abort = new AbortController();
  const given = host.reserve('first', abort.signal);
  void host.reserve('second');

  abort.abort();
  await given;
  end();
  await host.settled();

  expect(host.given).toEqual(['first: AbortError', 'second']);
});

test('who asks with a signal that was aborted before gets nothing', async () => {
  const host = aHost(1);

  await host.reserve('first', AbortSignal.abort());
  await host.reserve('second');

  expect(host.given).toEqual(['first: AbortError', 'second']);
});

test('a permit that never arrived is not lost', async () => {
  const host = aHost(1);
  const abort = new AbortController();
  await host.reserve('first', abort.signal);

  abort.abort();
  await host.reserve('second');

  expect(host.given).toEqual(['first', 'second']);
});

test('permission to poll at once is given while a slot is free', () => {
  const { permits } = aHost(1);

  expect(permits.tryReserveSlot(context)).not.toBeNull();
  expect(permits.tryReserveSlot(context)).toBeNull();
});

describe('a host asks for previews', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const A_MOMENT_MS = 1_000;

  test('while any slot is free', async () => {
    jest.useFakeTimers();
    const host = aHost(3, 'preview', 1);
    host.slots.claim('d1');

    for (const name of ['first', 'second', 'third']) void host.reserve(name);
    await jest.advanceTimersByTimeAsync(A_MOMENT_MS);

    expect(host.given).toEqual(['first', 'second']);
  });

  test('as soon as one ends, without a pause, while deployments find borrowed slots', async () => {
    jest.useFakeTimers();
    const host = aHost(2, 'preview', 1);
    const ends = ['p1', 'p2'].map((id) => host.slots.begin(id, { signal: never, interrupt: () => undefined }));
    await jest.advanceTimersByTimeAsync(A_MOMENT_MS);
    void host.reserve('first');

    (await ends[1])?.();
    await jest.advanceTimersByTimeAsync(0);

    expect(host.given).toEqual(['first']);
  });

  test('once a slot that became free was offered to deployments for a moment, and none has come', async () => {
    jest.useFakeTimers();
    const host = aHost(1, 'preview');
    const end = host.slots.countRunning('d1');
    void host.reserve('first');

    end();
    await jest.advanceTimersByTimeAsync(DECLINED_CLAIM_MS);
    expect(host.given).toEqual([]);
    expect(host.permits.tryReserveSlot(context)).toBeNull();

    await jest.advanceTimersByTimeAsync(A_MOMENT_MS);
    expect(host.given).toEqual(['first']);
  });

  test('and not when a deployment took the slot meanwhile', async () => {
    jest.useFakeTimers();
    const host = aHost(1, 'preview');
    const end = host.slots.countRunning('d1');
    void host.reserve('first');

    end();
    await jest.advanceTimersByTimeAsync(DECLINED_CLAIM_MS);
    const endNext = host.slots.countRunning('d2');
    await jest.advanceTimersByTimeAsync(A_MOMENT_MS);
    endNext();
    await jest.advanceTimersByTimeAsync(DECLINED_CLAIM_MS);

    expect(host.given).toEqual([]);
  });
});
