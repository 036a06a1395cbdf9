import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../testing/samples.ts';
import { newLane } from '../state/lane-state.ts';
import { unlock } from './unlock.ts';
import { end, pop } from '../state/running.ts';
import { receive } from './receive.ts';
import { LIFTED_LIMIT } from '../queue/lifted.ts';
import { judgedAnswer, JUDGED_LIMIT } from '../queue/judged.ts';
import { anUnlock, aRequest, deploymentAt, NOW } from '../../../testing.ts';

const LATER = '2026-01-31T15:00:00.000Z';
const LATEST = '2026-01-31T16:00:00.000Z';

const waiting = receive(newLane, aRequest(1), 'one', NOW);
const running = pop(waiting, NOW);
const lifting = anUnlock({ askedAt: LATEST });

describe('an unlock', () => {
  test('that comes twice lifts no lock that was set in between', () => {
    const once = unlock({ ...newLane, lock: aLock() }, lifting, LATER);

    const twice = unlock({ ...once, lock: aLock() }, lifting, LATER);

    expect([once.lock, twice.lock]).toEqual([undefined, aLock()]);
  });

  test('that was refused is refused again, whatever was locked since', () => {
    const once = unlock(newLane, lifting, LATER);

    const locked = { ...once, lock: aLock() };

    expect(unlock(locked, lifting, LATER)).toBe(locked);
  });

  test('keeps the id that GitHub told beside the login', () => {
    const { lifted } = unlock({ ...newLane, lock: aLock() }, anUnlock({ byId: 7 }), LATER);

    expect(lifted).toMatchObject([{ unlock: { body: { by: 'carol', byId: 7 } }, liftedAt: LATER }]);
  });

  test("keeps control's word for who asked, and when", () => {
    const asked = anUnlock({ askedAt: LATER });

    const { lifted } = unlock({ ...newLane, lock: aLock() }, asked, LATEST);

    expect(lifted).toEqual([{ ...aLock(), unlock: asked, liftedAt: LATEST }]);
  });

  test(`is remembered with its answer among the last ${JUDGED_LIMIT}`, () => {
    const requests = Array.from({ length: JUDGED_LIMIT + 1 }, (_, index) => anUnlock({ requestId: `r${index}` }));

    const { judged } = requests.reduce((state, request) => unlock(state, request, LATER), newLane);

    expect(judged).toHaveLength(JUDGED_LIMIT);
    expect([judgedAnswer(judged, 'r0'), judgedAnswer(judged, 'r1')?.kind]).toEqual([undefined, 'refused']);
  });

  test('that took long to arrive lifts no lock that was set meanwhile', () => {
    const lock = { ...aLock(), at: LATER };

    const early = unlock({ ...newLane, lock }, anUnlock({ askedAt: NOW }), LATEST);
    const late = unlock({ ...newLane, lock }, anUnlock({ askedAt: LATER }), LATEST);

    expect(judgedAnswer(early.judged, lifting.body.requestId)).toEqual({
      kind: 'refused',
      sentence:
        'the current lock was set after this was asked, by a manual deployment of def5678 by @bob: look at it, then unlock again',
    });
    expect([early.lock, late.lock]).toEqual([lock, undefined]);
  });

  test.each([
    ['of a lane that is not locked', newLane, 'one', 'this lane is not locked: there is nothing to unlock'],
    [
      'on a deployment that ended and set no lock',
      { ...end(running, { status: 'succeeded', times: { succeeded: LATER }, jobs: {} }, LATER), lock: aLock() },
      'one',
      'this deployment does not wait for the current lock, which was set by a manual deployment of def5678 by @bob',
    ],
    [
      'on a deployment that the lane does not know',
      { ...newLane, lock: aLock() },
      'unheard-of',
      'this deployment does not wait for the current lock, which was set by a manual deployment of def5678 by @bob',
    ],
  ])(
    '%s is refused with a sentence, and changes nothing but that it was judged',
    (_what, state, deploymentId, sentence) => {
      const { judged, ...after } = unlock(state, anUnlock({ askedAt: LATEST, deploymentId }), LATER);

      expect(judgedAnswer(judged, lifting.body.requestId)).toEqual({ kind: 'refused', sentence });
      expect({ ...after, judged: state.judged }).toEqual(state);
    },
  );

  test.each([
    ['that waits for the lock', { ...waiting, lock: aLock() }, 'one'],
    [
      'that set the lock, long after the lane forgot it,',
      { ...newLane, lock: { ...aLock(), deploymentId: 'one' } },
      'one',
    ],
  ])('lifts the lock on a deployment %s', (_what, state, deploymentId) => {
    const after = unlock(state, anUnlock({ askedAt: LATEST, deploymentId }), LATER);

    expect(after.lock).toBeUndefined();
    expect(judgedAnswer(after.judged, lifting.body.requestId)).toEqual({ kind: 'unlocked' });
  });
});

describe('who lifted a lock', () => {
  const lock = { ...aLock(), deploymentId: 'setter' };
  const setter = deploymentAt(1, { id: 'setter', progress: { status: 'succeeded', times: {}, jobs: {} } });
  const locked = {
    ...newLane,
    lock,
    queue: { manual: [deploymentAt(2, { trigger: 'manual' })], merged: [deploymentAt(3)] },
    ended: [setter, deploymentAt(4)],
  };

  test('is told to who set it and to who waited for it, and to nobody else', () => {
    const state = unlock({ ...locked, ended: [setter] }, lifting, LATER);

    expect(state.ended.map(({ unlocked }) => unlocked)).toEqual([lifting]);
    expect(state.queue.merged.map(({ unlocked }) => unlocked)).toEqual([lifting]);
    expect(state.queue.manual.map(({ unlocked }) => unlocked)).toEqual([undefined]);
  });

  test('is not told to what ran meanwhile', () => {
    const state = unlock({ ...running, lock }, lifting, LATER);

    expect(state.running).not.toHaveProperty('unlocked');
  });

  test('stays told when somebody else lifts the next one', () => {
    const once = unlock(locked, lifting, LATER);
    const again = { ...once, lock: { ...aLock(), deploymentId: 'another' } };

    const twice = unlock(again, anUnlock({ requestId: 'unlock-2', by: 'dave' }), LATEST);

    expect(twice.ended[0]?.unlocked).toEqual(lifting);
    expect(twice.lifted.map(({ deploymentId, unlock: { body } }) => [deploymentId, body.by])).toEqual([
      ['setter', 'carol'],
      ['another', 'dave'],
    ]);
  });

  test(`is remembered for the last ${LIFTED_LIMIT} locks`, () => {
    const requests = Array.from({ length: LIFTED_LIMIT + 1 }, (_, index) => anUnlock({ requestId: `r${index}` }));

    const state = requests.reduce((lane, request) => unlock({ ...lane, lock }, request, LATER), newLane);

    expect(state.lifted).toHaveLength(LIFTED_LIMIT);
  });
});
