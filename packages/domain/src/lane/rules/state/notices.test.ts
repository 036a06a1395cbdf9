import { describe, expect, test } from '@jest/globals';
import type { Progress } from '../../../deployment/progress.ts';
import { addNotice, newLane } from './lane-state.ts';
import { end, pop } from './running.ts';
import { receive } from '../requests/receive.ts';
import { afterState, nextRead, READ_WITHIN_MS, withoutRead } from './notices.ts';
import { aRequest, NOW } from '../../../testing.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const running = pop(receive(newLane, aRequest(1), 'one', NOW), NOW);

const progressOf = (status: Progress['status']): Progress => ({ status, times: { [status]: LATER }, jobs: {} });

describe('a notice', () => {
  const noticed = addNotice(running, 'one', { sentence: 'Too late.' }, NOW);
  const soon = new Date(Date.parse(NOW) + READ_WITHIN_MS - 1).toISOString();

  test('is shown until the next state of its deployment', () => {
    expect(noticed.notices).toEqual({ one: { sentence: 'Too late.', at: NOW } });
    expect(end(noticed, progressOf('succeeded'), LATER).notices).toEqual({});
  });

  test('outlives an end that comes before anybody could read it, until it was read', () => {
    const { notices } = end(noticed, progressOf('succeeded'), soon);
    const until = nextRead(notices) ?? '';

    expect(notices).toEqual({ one: { sentence: 'Too late.', at: NOW, until } });
    expect(withoutRead(notices, soon)).toBe(notices);
    expect(withoutRead(notices, until)).toEqual({});
  });

  test('stays as long as its deployment does where that does not move on', () => {
    expect(nextRead(noticed.notices)).toBeUndefined();
    expect(withoutRead(noticed.notices, LATER)).toBe(noticed.notices);
  });

  test('that is to be read until then stays no longer when another state follows', () => {
    const { notices } = end(noticed, progressOf('succeeded'), soon);

    expect(afterState(notices, 'one', soon)).toBe(notices);
  });

  test('is one of the last fifty, each of five hundred characters: a lane carries them on', () => {
    const waiting = Array.from({ length: 60 }, (_, index) => `deployment-${index}`).reduce(
      (state, id, index) =>
        addNotice(receive(state, aRequest(index), id, NOW), id, { sentence: 'x'.repeat(9_000) }, NOW),
      newLane,
    );
    const again = addNotice(waiting, 'deployment-10', { sentence: 'Once more.' }, LATER);

    expect(Object.keys(waiting.notices)).toHaveLength(50);
    expect(waiting.notices['deployment-9']).toBeUndefined();
    expect(waiting.notices['deployment-10']?.sentence).toHaveLength(500);
    expect(Object.keys(again.notices).at(-1)).toBe('deployment-10');
    expect(Object.keys(again.notices)).toHaveLength(50);
  });

  test('about a deployment that the lane does not know is dropped', () => {
    expect(addNotice(running, 'two', { sentence: 'Too late.' }, NOW)).toBe(running);
  });
});
