import { describe, expect, test } from '@jest/globals';
import type { LaneRecord } from '../../record.ts';
import { judgedAnswer } from '../queue/judged.ts';
import {
  ADMITTED,
  NOW,
  NOW_MS,
  aFollowingLane,
  aLane,
  aNotice,
  aRestoredLane,
  after,
  anUnlock,
  arrivalOf,
  begin,
  effectIn,
  endOf,
  shown,
} from '../../../testing.ts';
import { READ_WITHIN_MS } from '../state/notices.ts';
import { decide } from './decide.ts';
import type { LaneEvent, LaneMessage } from './events.ts';

const unlocking: LaneMessage = { kind: 'unlock', at: NOW, message: anUnlock({ requestId: 'unlock-1', by: 'carol' }) };

const read = (record: LaneRecord) =>
  ({ kind: 'read', read: { kind: 'read', stored: { record, version: '5' } } }) as const;

describe('a lane that is reset', () => {
  test('an unlock that was refused is refused again after a reset, and lifts no lock that was set since', () => {
    const refused = after(aRestoredLane(), unlocking, arrivalOf(1, { trigger: 'manual' }));
    const [, effects] = begin(refused);
    const { record } = effectIn(effects, 'admit').admission;

    const reset = after(aLane(), unlocking, read(record));

    expect(judgedAnswer(refused.state.judged, 'unlock-1')).toMatchObject({ kind: 'refused' });
    expect(judgedAnswer(reset.state.judged, 'unlock-1')).toEqual(judgedAnswer(refused.state.judged, 'unlock-1'));
    expect(reset.state.lock).toMatchObject({ kind: 'manual', deploymentId: '1' });
  });

  test('deploys nothing again that its record knows', () => {
    const [, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
    const { record } = effectIn(effects, 'admit').admission;

    const reset = after(aLane(), { ...arrivalOf(1), id: 'again' } as LaneMessage, read(record));

    expect(reset.state).toMatchObject({ running: { id: '1' }, queue: { manual: [], merged: [] } });
  });
});

test('messages that come together are decided one after the other', () => {
  const together: readonly LaneEvent[] = [arrivalOf(1), unlocking, arrivalOf(2)];

  expect(after(aRestoredLane(), ...together)).toEqual(
    together.reduce((lane, event) => after(lane, event), aRestoredLane()),
  );
});

test('a notice goes to whoever writes the check run: the lane while its deployment waits', () => {
  const noticing = (deploymentId: string): LaneMessage => ({
    kind: 'notice',
    at: NOW,
    message: aNotice({ deploymentId, sentence: 'Too late.' }),
  });

  const lane = after(aFollowingLane(), arrivalOf(2), noticing('1'), noticing('2'), noticing('3'));

  expect(lane.passOns).toEqual([{ kind: 'notice', deploymentId: '1', notice: aNotice() }]);
  expect(Object.keys(lane.state.notices)).toEqual(['2']);
});

test('a notice that was read is gone with the next event', () => {
  const noticed = after(shown(aFollowingLane()), endOf('1'));
  const state = {
    ...noticed.state,
    notices: { 1: { sentence: 'Too late.', at: NOW, until: new Date(NOW_MS + READ_WITHIN_MS).toISOString() } },
  };
  const lane = { ...noticed, state };

  expect(decide(lane, [], NOW_MS + READ_WITHIN_MS - 1).state.notices).toBe(state.notices);
  expect(decide(lane, [], NOW_MS + READ_WITHIN_MS).state.notices).toEqual({});
});

test('a lane is without work since its last deployment ended, until the next one comes', () => {
  const [admitting, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
  const admitted = after(admitting, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: ADMITTED });
  const ended = decide(admitted, [endOf('1')], NOW_MS + 5);

  expect(aRestoredLane().idleSince).toBe(NOW_MS);
  expect(admitted.idleSince).toBeUndefined();
  expect(ended.idleSince).toBe(NOW_MS + 5);
  expect(decide(ended, [], NOW_MS + 9).idleSince).toBe(NOW_MS + 5);
});

test('what is no change of a lane changes nothing', () => {
  const lane = aRestoredLane();

  expect(after(lane, { kind: 'begun', effect: { kind: 'wait', until: NOW_MS } })).toBe(lane);
});
