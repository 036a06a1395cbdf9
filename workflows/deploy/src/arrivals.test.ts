import { describe, expect, test } from '@jest/globals';
import { apply, arrive, withArrivals } from './arrivals.ts';
import { UNTOLD_LIMIT } from './ended.ts';
import { openLane } from './lane.ts';
import { newLane, receive, type LaneState } from './lane-state.ts';
import { inOrder, QUEUE_LIMIT } from './queue.ts';
import { aRequest, NOW, REPOSITORY, shaAt } from './testing/builders.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const arriving = (count: number) => {
  const lane = openLane({ repository: REPOSITORY, rootName: 'network' });
  const kept = Array.from({ length: count }, (_, index) => arrive(lane, aRequest(index), String(index), NOW));
  return { lane, kept };
};

describe('before its record is there, a lane', () => {
  test('keeps as many deployments as a queue holds, and refuses the others with the sentence', () => {
    const { lane, kept } = arriving(QUEUE_LIMIT + 2);

    expect(lane.inbox).toHaveLength(QUEUE_LIMIT);
    expect(inOrder(lane.arrived.queue)).toHaveLength(QUEUE_LIMIT);
    expect(lane.arrived.ended).toMatchObject(
      [QUEUE_LIMIT, QUEUE_LIMIT + 1].map((index) => ({
        id: String(index),
        progress: { status: 'refused', reason: expect.stringContaining('is full') },
      })),
    );
    expect(kept).not.toContain(false);
  });

  test('keeps nothing of what it could not even refuse', () => {
    const { lane } = arriving(QUEUE_LIMIT + UNTOLD_LIMIT);

    expect(arrive(lane, aRequest(9_999), 'last', NOW)).toBe(false);
    expect(lane.arrived.ended).toHaveLength(UNTOLD_LIMIT);
  });

  test('keeps what comes twice once', () => {
    const { lane } = arriving(1);

    expect(arrive(lane, aRequest(0), 'again', NOW)).toBe(true);
    expect(lane.inbox).toHaveLength(1);
  });

  test('keeps other messages beside a full queue, and not without end', () => {
    const { lane } = arriving(QUEUE_LIMIT);
    const kept = Array.from({ length: QUEUE_LIMIT + 1 }, () => apply(lane, (state) => state));

    expect(kept.indexOf(false)).toBe(QUEUE_LIMIT);
  });
});

describe('what came before the record was there', () => {
  const checkRuns = [{ id: 7, completed: false }];
  const told = (id: string): LaneState => {
    const state = receive(newLane, aRequest(1), id, NOW);
    return { ...state, queue: { manual: [], merged: state.queue.merged.map((one) => ({ ...one, checkRuns })) } };
  };

  test('goes on in the check run that said that it waits', () => {
    const state = withArrivals(receive(newLane, aRequest(1), 'one', NOW), told('one'), LATER, () => true);

    expect(inOrder(state.queue)).toMatchObject([{ id: 'one', checkRuns }]);
    expect(state.ended).toEqual([]);
  });

  test('is skipped where the lane had seen it before, for whoever sees its check run', () => {
    const knowing = receive(newLane, aRequest(1), 'before', NOW);

    expect(withArrivals(knowing, told('one'), LATER, () => true).ended).toMatchObject([
      { id: 'one', checkRuns, progress: { status: 'skipped', reason: expect.stringContaining('asked for twice') } },
    ]);
    expect(withArrivals(knowing, told('one'), LATER, () => false)).toEqual(knowing);
  });

  test('and was refused stays so, and is seen', () => {
    const { lane } = arriving(QUEUE_LIMIT + 1);
    const state = withArrivals(newLane, { ...lane.arrived, queue: newLane.queue }, LATER, () => false);

    expect(state.ended).toMatchObject([{ id: String(QUEUE_LIMIT), progress: { status: 'refused' } }]);
    expect(state.seen.merges).toEqual([shaAt(QUEUE_LIMIT)]);
  });
});
