import { describe, expect, test } from '@jest/globals';
import { receive } from '../requests/receive.ts';
import { aRequest, NOW } from '../../../testing.ts';
import { find, newLane, recordCheckRuns } from './lane-state.ts';
import { endWith, pop } from './running.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const waiting = receive(newLane, aRequest(1), 'one', NOW);
const running = pop(waiting, NOW);
const ended = endWith(running, 'succeeded', 'why', LATER);

describe('a check run', () => {
  const checkRun = { id: 7, completed: false };

  test.each([
    ['waits', waiting],
    ['runs', running],
    ['ended', ended],
  ])('is remembered by its deployment when it %s, once', (_when, state) => {
    const twice = recordCheckRuns(recordCheckRuns(state, 'one', [checkRun]), 'one', [{ ...checkRun, completed: true }]);

    expect(find(twice, 'one')?.checkRuns).toEqual([{ id: 7, completed: true }]);
  });

  test('of an ended deployment leaves alone what is stored', () => {
    expect(recordCheckRuns(ended, 'one', [checkRun]).queue).toBe(ended.queue);
  });

  test('of a deployment that the lane does not know changes none', () => {
    expect(recordCheckRuns(ended, 'two', [checkRun])).toEqual(ended);
  });
});
