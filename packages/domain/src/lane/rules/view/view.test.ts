import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../testing/samples.ts';
import { presentations, waits } from '../check-runs/presentations.ts';
import {
  NOW,
  aFollowingLane,
  aLane,
  aRecord,
  aRestoredLane,
  after,
  anUnlock,
  arrivalOf,
  deploymentAt,
  endOf,
  shaAt,
} from '../../../testing.ts';
import { answerTo, deploymentIn, knows, viewOf, viewOfRecord, whyBlocked } from './view.ts';
import { recordOf } from '../actor/keeping.ts';

const BROKEN = { kind: 'read', read: { kind: 'unreadable', why: 'it is broken' } } as const;

describe('a lane as others see it', () => {
  const lane = after(
    aFollowingLane(arrivalOf(1, { trigger: 'manual' })),
    arrivalOf(2),
    arrivalOf(3, { trigger: 'manual' }),
  );

  test('is all that it knows, what waits in the order in which it will run', () => {
    expect(viewOf(lane)).toMatchObject({
      isRestored: true,
      running: { id: '1' },
      waiting: [{ id: '3' }, { id: '2' }],
      lock: { deploymentId: '1' },
    });
  });

  test('is the same from its record while it does not run', () => {
    const ended = after(lane, endOf('1'));

    expect(viewOfRecord(recordOf(ended))).toEqual({ ...viewOf(ended), ended: [] });
    expect(viewOfRecord(aRecord())).toEqual(viewOf(aRestoredLane()));
  });

  test('says why nothing runs', () => {
    const locked = after(aRestoredLane({ lock: aLock() }), arrivalOf(2));

    expect(viewOf(locked).waitsFor).toBe('locked by a manual deployment of def5678 by @bob');
    expect(viewOfRecord(recordOf(locked)).waitsFor).toBe(viewOf(locked).waitsFor);
    expect(viewOf(lane)).not.toHaveProperty('waitsFor');
  });

  test('is nothing yet while its record is read, and says so', () => {
    const reading = after(aLane(), arrivalOf(1));

    expect(viewOf(reading)).toMatchObject({
      isRestored: false,
      waiting: [],
      waitsFor: 'its record is read from storage',
    });
    expect(whyBlocked(after(reading, BROKEN))).toBe('its record cannot be read: it is broken');
  });

  test('knows a deployment wherever it is', () => {
    const view = viewOf(after(lane, endOf('1')));

    expect(['1', '2', '3', '4'].map((id) => deploymentIn(view, id)?.id)).toEqual(['1', '2', '3', undefined]);
    expect(deploymentIn(viewOf(lane), '1')?.id).toBe('1');
  });
});

test('a manual deployment behind a manual lock counts nobody ahead that the lock holds back', () => {
  const lock = { ...aLock(), revision: shaAt(7) };
  const { state } = after(
    aRestoredLane({ lock, running: deploymentAt(0) }),
    arrivalOf(1),
    arrivalOf(2),
    arrivalOf(7, { rerun: true }),
    arrivalOf(8, { trigger: 'manual' }),
    arrivalOf(9, { trigger: 'manual' }),
  );
  const { waiting, running } = viewOf(after({ ...aRestoredLane(), state }));
  const merged = waiting.filter(({ trigger }) => trigger === 'merge');
  const manual = waiting.filter(({ trigger }) => trigger === 'manual');

  const inConsole = waiting.map((deployment) => waits({ lock, running, queue: { manual, merged } })(deployment).ahead);
  const onCheckRuns = presentations(state).flatMap(({ ahead }) => (ahead === undefined ? [] : [ahead]));

  expect(waiting.map(({ id }) => id)).toEqual(['8', '9', '1', '2', '7']);
  expect(inConsole).toEqual([1, 2, 3, 4, 3]);
  expect(onCheckRuns).toEqual(inConsole);
});

describe('a lane that is asked', () => {
  const unlock = { kind: 'unlock', at: NOW, message: anUnlock({ requestId: 'u1', by: 'carol' }) } as const;
  const reading = after(aLane(), unlock, arrivalOf(1));

  test('what came of a request says what it decided, once it has', () => {
    const decided = after(aRestoredLane({ lock: aLock() }), unlock);

    expect(answerTo(decided, 'u1')).toEqual({ kind: 'unlocked' });
    expect(answerTo(decided, 'u2')).toMatchObject({ kind: 'pending', reason: expect.stringContaining('not taken') });
    expect(answerTo(reading, 'u1')).toEqual({ kind: 'pending', reason: 'its record is read from storage' });
    expect(answerTo(after(reading, BROKEN), 'u1')).toEqual({
      kind: 'pending',
      reason: 'its record cannot be read: it is broken',
    });
  });

  test('whether it knows a deployment cannot tell before its record is there', () => {
    expect(knows(reading, '1')).toEqual({ kind: 'pending', reason: 'its record is read from storage' });
    expect(knows(after(aRestoredLane(), arrivalOf(1)), '1')).toEqual({ kind: 'known' });
    expect(knows(aRestoredLane(), '1')).toEqual({ kind: 'unknown' });
  });
});
