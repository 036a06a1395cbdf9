import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../testing/samples.ts';
import { inOrder, QUEUE_LIMIT } from '../queue/queue.ts';
import { find, newLane, type LaneState } from '../state/lane-state.ts';
import { endWith, pop } from '../state/running.ts';
import { anUnlock, aRequest, deploymentAt, NOW } from '../../../testing.ts';
import { receive } from './receive.ts';
import { unlock } from './unlock.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const waiting = receive(newLane, aRequest(1), 'one', NOW);

describe('a revision that comes in', () => {
  test('waits, and is queued since then', () => {
    expect(find(waiting, 'one')?.progress).toEqual({ status: 'queued', times: { queued: NOW }, jobs: {} });
  });

  test('changes nothing while it waits, however much came since: a lane that begins again hears everything again', () => {
    const requests = Array.from({ length: 600 }, (_, index) => aRequest(index));
    const receiveAll = (state: LaneState) =>
      requests.reduce((before, request, index) => receive(before, request, String(index), NOW), state);
    const full = receiveAll(newLane);

    expect(inOrder(receiveAll(full).queue)).toHaveLength(600);
  });

  test('changes nothing when it was seen', () => {
    expect(receive(waiting, aRequest(1), 'another', LATER)).toBe(waiting);
  });

  describe('to a root that had another name', () => {
    const lock = { ...aLock(), deploymentId: 'd0' };
    const renamed = { ...aRequest(1), formerly: { rootName: 'before', lock } };

    test('brings a lock that was set after an earlier request', () => {
      const earlier = receive(newLane, { ...renamed, formerly: { rootName: 'before' } }, 'one', NOW);

      expect(receive(earlier, { ...renamed, ...aRequest(2) }, 'two', LATER).lock).toEqual(lock);
    });

    test('brings the lock of that name into a lane that never deployed', () => {
      expect(receive(newLane, renamed, 'one', NOW).lock).toEqual(lock);
    });

    test('brings it only once: an unlock is an unlock', () => {
      const locked = receive(newLane, renamed, 'one', NOW);
      const state = unlock(locked, anUnlock({ askedAt: LATER }), LATER);

      expect(receive(state, { ...renamed, ...aRequest(2) }, 'two', LATER).lock).toBeUndefined();
    });

    test('leaves a lane alone that has deployed before', () => {
      const used = endWith(pop(waiting, NOW), 'succeeded', 'why', LATER);

      expect(receive(used, { ...renamed, ...aRequest(2) }, 'two', LATER).lock).toBeUndefined();
    });
  });

  test('is refused, with a sentence, when the queue is full', () => {
    const merged = Array.from({ length: QUEUE_LIMIT }, (_, position) => deploymentAt(position));
    const full: LaneState = { ...newLane, queue: { manual: [], merged } };

    const refused = find(receive(full, aRequest(QUEUE_LIMIT), 'too many', NOW), 'too many');

    expect(refused?.progress).toMatchObject({ status: 'refused', reason: expect.stringContaining('is full') });
  });
});
