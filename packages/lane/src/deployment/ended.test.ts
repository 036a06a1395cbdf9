import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/contracts';
import { aPlan } from '@nereid/github/testing';
import { bytesOfAll } from '../state/bytes.ts';
import { collapse, ENDED_LIMIT, endWaiting, fitting, UNTOLD_LIMIT, withoutTold } from './ended.ts';
import { addNotice, newLane, pop, receive, type LaneState } from '../state/lane-state.ts';
import { inOrder } from '../queue/queue.ts';
import { aLargeSummary, aRequest, deploymentAt, NOW, shaAt } from '../testing.ts';

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

describe('what is handed on of what ended', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} ${'x'.repeat(300)}`);
  const steps = { plan: [{ kind: 'run', run: 'make '.repeat(1_000) }], apply: [] } as const;
  const ended = [1, 2, 3].map((position) =>
    deploymentAt(position, {
      root: { ...deploymentAt(1).root, steps },
      progress: {
        status: 'apply-failed',
        times: {},
        jobs: {},
        plan: aPlan({ summary: { ...aLargeSummary(), omitted: 7 } }),
        failure: { summary: 'It failed', lines },
      },
    }),
  );

  test('is all of it while there is room', () => {
    expect(fitting(ended, bytesOfAll(ended), () => true)).toEqual(ended);
  });

  test('is less of the oldest where there is not, and says that there was more', () => {
    const [oldest, ...others] = fitting(ended, bytesOfAll(ended) - 1, () => true);

    expect(others).toEqual(ended.slice(1));
    expect(oldest).toMatchObject({
      id: '1',
      root: { steps: { plan: [], apply: [] } },
      progress: {
        plan: { digest: aPlan().digest, summary: { create: 1, omitted: 7 + 195 } },
        failure: { summary: 'It failed', lines: ['… shortened: the log has all of it', ...lines.slice(-3)] },
      },
    });
    expect(oldest?.progress.plan?.summary.resources).toEqual(aLargeSummary().resources.slice(0, 5));
  });

  test('is all of one whose own record is not stored yet', () => {
    expect(fitting(ended, bytesOfAll(ended) - 1, ({ id }) => id !== '1')[0]).toEqual(ended[0]);
  });

  test('leaves the oldest out where even that is too much', () => {
    expect(fitting(ended, 12_000, () => true).map(({ id }) => id)).toEqual(['2', '3']);
    expect(fitting(ended, 0, () => true)).toEqual([]);
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
