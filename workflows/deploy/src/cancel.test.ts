import { describe, expect, test } from '@jest/globals';
import { cancel, judgeCancel } from './cancel.ts';
import { endWith, find, newLane, pop, receive } from './lane-state.ts';
import { inOrder } from './queue.ts';
import { aRequest, NOW } from './testing/builders.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const two = receive(receive(newLane, aRequest(1), 'one', NOW), aRequest(2), 'two', NOW);
const running = pop(two, NOW);
const cancelling = (deploymentId: string) =>
  ({ version: 1, requestId: 'cancel-1', deploymentId, by: 'carol' }) as const;

describe('a deployment that waits', () => {
  test('leaves the queue as cancelled, and says by whom', () => {
    const state = cancel(running, cancelling('two'), LATER);

    expect(judgeCancel(running, cancelling('two'))).toEqual({ kind: 'cancelled' });
    expect(inOrder(state.queue)).toEqual([]);
    expect(find(state, 'two')).toMatchObject({
      progress: { status: 'cancelled', reason: 'Cancelled by @carol' },
      cancellation: { by: 'carol', at: LATER },
    });
    expect(state.running).toBe(running.running);
  });

  test('gets the same answer again, and nothing else ends', () => {
    const state = cancel(running, cancelling('two'), LATER);

    expect(judgeCancel(state, cancelling('two'))).toEqual({ kind: 'cancelled' });
    expect(cancel(state, cancelling('two'), LATER)).toBe(state);
  });
});

describe('a deployment that runs', () => {
  const asked = cancel(running, cancelling('one'), LATER);

  test('is asked to end, runs on until it has, and says by whom', () => {
    expect(judgeCancel(running, cancelling('one'))).toEqual({ kind: 'cancelling' });
    expect(asked.running).toMatchObject({ id: 'one', cancellation: { by: 'carol', at: LATER } });
    expect(asked.notices['one']?.sentence).toContain('@carol');
  });

  test('keeps the first who asked', () => {
    expect(cancel(asked, { ...cancelling('one'), by: 'dave' }, LATER)).toBe(asked);
  });
});

describe('nothing changes', () => {
  const ended = endWith(running, 'skipped', 'why', LATER);

  test('when it has come to another end', () => {
    expect(judgeCancel(ended, cancelling('one'))).toEqual({
      kind: 'refused',
      sentence: 'it has ended already: skipped',
    });
    expect(cancel(ended, cancelling('one'), LATER)).toBe(ended);
  });

  test('when the lane does not know it', () => {
    expect(judgeCancel(running, cancelling('three'))).toMatchObject({ kind: 'refused' });
    expect(cancel(running, cancelling('three'), LATER)).toBe(running);
  });
});
