import { describe, expect, test } from '@jest/globals';
import { aLock } from '@nereid/github/testing';
import { end, newLane, pop, receive } from './lane-state.ts';
import { aRequest, deploymentAt, NOW } from './testing/builders.ts';
import { judgeUnlock, unlock, unlockedFor } from './unlock.ts';

const LATER = '2026-01-31T15:00:00.000Z';
const LATEST = '2026-01-31T16:00:00.000Z';

const waiting = receive(newLane, aRequest(1), 'one', NOW);
const running = pop(waiting, NOW);
const lifting = { version: 1, requestId: 'unlock-1', by: 'carol' } as const;

describe('an unlock', () => {
  test('that comes twice lifts no lock that was set in between', () => {
    const once = unlock({ ...newLane, lock: aLock() }, lifting, LATER);

    const twice = unlock({ ...once, lock: aLock() }, lifting, LATER);

    expect([once.lock, twice.lock]).toEqual([undefined, aLock()]);
  });

  test.each([
    ['of a lane that is not locked', newLane, 'one', 'this lane is not locked: there is nothing to unlock'],
    [
      'on a deployment that ended and set no lock',
      { ...end(running, { status: 'succeeded', times: { succeeded: LATER }, jobs: {} }, LATER), lock: aLock() },
      'one',
      'this deployment does not wait for the lock of now, which is by manual deployment of def5678 by @bob',
    ],
    [
      'on a deployment that the lane does not know',
      { ...newLane, lock: aLock() },
      'unheard-of',
      'this deployment does not wait for the lock of now, which is by manual deployment of def5678 by @bob',
    ],
  ])('%s is refused with a sentence, and changes nothing', (_what, state, deploymentId, sentence) => {
    const pressed = { ...lifting, deploymentId };

    expect(judgeUnlock(state, pressed, LATER)).toEqual({ kind: 'refused', sentence });
    expect(unlock(state, pressed, LATER)).toBe(state);
  });

  test.each([
    ['that waits for the lock', { ...waiting, lock: aLock() }, 'one'],
    [
      'that set the lock, long after the lane forgot it,',
      { ...newLane, lock: { ...aLock(), deploymentId: 'one' } },
      'one',
    ],
  ])('on a deployment %s lifts it', (_what, state, deploymentId) => {
    expect(unlock(state, { ...lifting, deploymentId }, LATER).lock).toBeUndefined();
  });
});

describe('who lifted a lock', () => {
  const lifted = { ...aLock(), deploymentId: 'setter', liftedBy: 'carol', liftedAt: LATER };
  const carol = { by: 'carol', at: LATER };
  const begun = (preparing: string) => ({ status: 'preparing', times: { preparing }, jobs: {} }) as const;

  test('is remembered, and told again to the same request', () => {
    const state = unlock({ ...newLane, lock: aLock() }, lifting, LATER);

    expect(state.lifted).toEqual({ ...aLock(), liftedBy: 'carol', liftedAt: LATER });
    expect(judgeUnlock(state, lifting, LATEST)).toEqual({ kind: 'unlocked', at: LATER });
  });

  test.each([
    ['the deployment that set it', deploymentAt(1, { id: 'setter', receivedAt: NOW }), carol],
    ['one that waited for it', deploymentAt(1, { receivedAt: NOW }), carol],
    ['one that waited and runs since', deploymentAt(1, { receivedAt: NOW, progress: begun(LATEST) }), carol],
    ['one that ran before', deploymentAt(1, { receivedAt: NOW, progress: begun(NOW) }), undefined],
    ['one that came after it', deploymentAt(1, { receivedAt: LATEST }), undefined],
    ['one that passed it anyway', deploymentAt(1, { receivedAt: NOW, trigger: 'manual' }), undefined],
  ])('is known to %s', (_which, deployment, by) => {
    expect(unlockedFor(deployment, lifted)).toEqual(by);
    expect(unlockedFor(deployment, undefined)).toBeUndefined();
  });
});
