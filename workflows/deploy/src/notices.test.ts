import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/contracts';
import { end, newLane, pop, receive, takeNotice, takeProgress } from './lane-state.ts';
import { nextRead, READ_WITHIN_MS, withoutRead } from './notices.ts';
import { aRequest, NOW } from './testing/builders.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const running = pop(receive(newLane, aRequest(1), 'one', NOW), NOW);

const progressOf = (status: Progress['status']): Progress => ({ status, times: { [status]: LATER }, jobs: {} });

describe('a notice', () => {
  const planning = { version: 1, deploymentId: 'one', progress: progressOf('planning') } as const;
  const noticed = takeNotice(running, 'one', 'Too late.', NOW);
  const soon = new Date(Date.parse(NOW) + READ_WITHIN_MS - 1).toISOString();

  test('is shown until the next state of its deployment', () => {
    expect(noticed.notices).toEqual({ one: { sentence: 'Too late.', at: NOW } });
    expect(takeProgress(noticed, planning, LATER).notices).toEqual({});
    expect(end(noticed, progressOf('succeeded'), LATER).notices).toEqual({});
  });

  test('outlives a state that comes before anybody could read it, the end too, until it was read', () => {
    for (const state of [takeProgress(noticed, planning, soon), end(noticed, progressOf('succeeded'), soon)]) {
      const until = nextRead(state.notices) ?? '';

      expect(state.notices).toEqual({ one: { sentence: 'Too late.', at: NOW, until } });
      expect(withoutRead(state.notices, soon)).toBe(state.notices);
      expect(withoutRead(state.notices, until)).toEqual({});
    }
    expect(nextRead(noticed.notices)).toBeUndefined();
  });

  test('is one of the last fifty, each of five hundred characters: a lane carries them on', () => {
    const waiting = Array.from({ length: 60 }, (_, index) => `deployment-${index}`).reduce(
      (state, id, index) => takeNotice(receive(state, aRequest(index), id, NOW), id, 'x'.repeat(9_000), NOW),
      newLane,
    );
    const again = takeNotice(waiting, 'deployment-10', 'Once more.', LATER);

    expect(Object.keys(waiting.notices)).toHaveLength(50);
    expect(waiting.notices['deployment-9']).toBeUndefined();
    expect(waiting.notices['deployment-10']?.sentence).toHaveLength(500);
    expect(Object.keys(again.notices).at(-1)).toBe('deployment-10');
    expect(Object.keys(again.notices)).toHaveLength(50);
  });

  test('about a deployment that the lane does not know is dropped', () => {
    expect(takeNotice(running, 'two', 'Too late.', NOW)).toBe(running);
  });
});
