import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../deployment/model.ts';
import { addNotice, newLane, type LaneState } from './lane-state.ts';
import { ENDED_LIMIT, UNTOLD_LIMIT, collapse, endWaiting, withoutTold } from './ended.ts';
import { pop } from './running.ts';
import { receive } from '../requests/receive.ts';
import { inOrder } from '../queue/queue.ts';
import { aRequest, deploymentAt, NOW, shaAt } from '../../../testing.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const many = (count: number): Deployment[] => Array.from({ length: count }, (_, position) => deploymentAt(position));

describe('what ended', () => {
  const ended = many(ENDED_LIMIT + 2);

  test(`is forgotten once everybody was told, but for the last ${ENDED_LIMIT}`, () => {
    const state = withoutTold({ ...newLane, ended }, () => true);

    expect(state.ended).toEqual(ended.slice(2));
  });

  test('is kept as long as somebody does not know of it', () => {
    const state = withoutTold({ ...newLane, ended }, ({ id }) => id === '0');

    expect(state.ended).toEqual(ended.slice(1));
    expect(withoutTold({ ...newLane, ended }, () => false).ended).toBe(ended);
  });

  test('is given up, the oldest first, where nobody can be told for long', () => {
    const state = withoutTold({ ...newLane, ended: many(UNTOLD_LIMIT + 3) }, () => false);

    expect(state.ended.map(({ id }) => id).slice(0, 1)).toEqual(['3']);
    expect(state.ended).toHaveLength(UNTOLD_LIMIT);
  });

  test('takes the notices along that it had', () => {
    const noticed = addNotice({ ...newLane, ended }, '0', { sentence: 'Too late.' }, NOW);

    expect(withoutTold(noticed, () => true).notices).toEqual({});
    expect(withoutTold(noticed, () => false).notices).toEqual(noticed.notices);
  });
});

test('a cancelled lane ends everything that waits, each with the sentence, however many', () => {
  const merged = many(ENDED_LIMIT * 2);

  const state = endWaiting({ ...newLane, queue: { manual: [], merged } }, 'cancelled', 'why', LATER);

  expect(inOrder(state.queue)).toEqual([]);
  expect(state.ended.map(({ progress }) => progress.reason)).toEqual(merged.map(() => 'why'));
});

describe('what waits and the running deployment contains', () => {
  const newest = (position: number) => aRequest(position, { root: { ...aRequest(1).root, queue: 'newest' } });
  const waiting = [1, 2, 3].reduce(
    (state: LaneState, position) => receive(state, newest(position), String(position), NOW),
    newLane,
  );
  const running = pop(waiting, NOW);

  test('ends with it, and names it', () => {
    const state = collapse(running, new Set([shaAt(1), shaAt(2)]), LATER);

    expect(state.running?.id).toBe('3');
    expect(inOrder(state.queue)).toEqual([]);
    expect(state.ended).toMatchObject(
      ['1', '2'].map((id) => ({
        id,
        carrier: { deploymentId: '3', revision: shaAt(3) },
        progress: { status: 'skipped', reason: expect.stringContaining('Goes with 0000000') },
      })),
    );
  });

  test('is all that ends: what a rewritten branch left out keeps its place', () => {
    const state = collapse(running, new Set([shaAt(2)]), LATER);

    expect(inOrder(state.queue).map(({ id }) => id)).toEqual(['1']);
    expect(state.ended.map(({ id }) => id)).toEqual(['2']);
  });

  test('stays when nothing runs', () => {
    expect(collapse(waiting, new Set([shaAt(1)]), LATER)).toBe(waiting);
  });
});
