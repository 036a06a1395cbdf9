import { describe, expect, test } from '@jest/globals';
import type { Presentation } from '../../../deployment/presentation.ts';
import type { DeploymentStatus } from '../../../deployment/status.ts';
import { aLock } from '../../../testing/samples.ts';
import { newLane } from '../state/lane-state.ts';
import { appearance, POSITIONS_SHOWN_AT_ONCE, presentations, urgencyOf } from './presentations.ts';
import { anUnlock, deploymentAt, NOW } from '../../../testing.ts';

const queue = { manual: [deploymentAt(9, { trigger: 'manual' })], merged: [deploymentAt(2)] };

describe('what check runs should say', () => {
  test('who waits reads how many go before it, the running one included', () => {
    const shown = presentations({ ...newLane, running: deploymentAt(1), queue });

    expect(shown.map(({ deployment, ahead }) => [deployment.id, ahead])).toEqual([
      ['1', undefined],
      ['9', 1],
      ['2', 2],
    ]);
  });

  test('who waits for the lock reads whose it is; whom it lets pass does not', () => {
    const lock = aLock();

    const shown = presentations({ ...newLane, lock, queue });

    expect(shown.map((one) => one.lock)).toEqual([undefined, lock]);
  });

  test('who waits in a lane that is blocked reads why, and who waits for its lock, too', () => {
    const state = { ...newLane, running: deploymentAt(1), queue, lock: aLock() };

    const [running, free, locked] = presentations(state, 'Why.');

    expect(running).toEqual({ deployment: deploymentAt(1) });
    expect(free?.deployment.progress).toMatchObject({ status: 'blocked', reason: 'Why.' });
    expect(locked).toEqual({ deployment: deploymentAt(2), ahead: 2, lock: aLock(), notice: 'Why.' });
  });

  test('what ended is shown, with its notice', () => {
    const shown = presentations({
      ...newLane,
      ended: [deploymentAt(1)],
      notices: { 1: { sentence: 'Too late.', at: NOW } },
    });

    expect(shown).toEqual([{ deployment: deploymentAt(1), notice: 'Too late.' }]);
  });
});

describe('two presentations look the same', () => {
  test('when only times, the host and the check run differ', () => {
    const one = shownAs('planning');
    const progress = { ...one.deployment.progress, hostId: 'host-2', times: { planning: 'later' } };
    const other = { deployment: { ...one.deployment, progress, checkRuns: [{ id: 1, completed: false }] } };

    expect(appearance(other)).toBe(appearance(one));
  });

  test('when one prepares and the other plans', () => {
    expect(appearance(shownAs('preparing'))).toBe(appearance(shownAs('planning')));
  });

  test.each([
    ['status', shownAs('applying')],
    ['position', shownAs('planning', { ahead: 1 })],
    ['lock', shownAs('planning', { lock: aLock() })],
    ['notice', shownAs('planning', { notice: 'Too late.' })],
    ['unlock', { deployment: { ...shownAs('planning').deployment, unlocked: anUnlock() } }],
  ])('two presentations look different when the %s differs', (_what, other) => {
    expect(appearance(other)).not.toBe(appearance(shownAs('planning')));
  });
});

test('what has not changed is not worked out again: a lane asks on each event, of all that it knows', () => {
  const { deployment } = shownAs('planning');
  let looks = 0;
  const watched = new Proxy(deployment, {
    get(target, name) {
      looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  });

  const first = appearance({ deployment: watched });
  const looksOnce = looks;
  const second = appearance({ deployment: watched });

  expect(second).toBe(first);
  expect(looks).toBe(looksOnce);
  expect(appearance({ deployment: watched, lock: aLock() })).not.toBe(first);
  expect(appearance({ deployment: watched, ahead: 1 })).not.toBe(first);
  expect(appearance({ deployment: watched, notice: 'Too late.' })).not.toBe(first);
});

describe('how urgent a difference is', () => {
  test.each([
    ['an end', shownAs('succeeded')],
    ['a button to confirm', shownAs('awaiting-review')],
    ['a button to unlock', shownAs('queued', { lock: aLock(), ahead: 0 })],
    ['a notice', shownAs('planning', { notice: 'Too late.' })],
  ])('%s is shown now: a person waits for it', (_what, presentation) => {
    expect(urgencyOf(presentation, undefined)).toBe('now');
  });

  test.each([
    ['work in progress', shownAs('planning')],
    ['a position near the front', shownAs('queued', { ahead: POSITIONS_SHOWN_AT_ONCE - 1 })],
  ])('%s is shown soon: only if it lasts', (_what, presentation) => {
    expect(urgencyOf(presentation, 'something else')).toBe('soon');
  });

  test('the first sign of a deployment is shown now, however far back it waits', () => {
    expect(urgencyOf(shownAs('queued', { ahead: 100 }), undefined)).toBe('now');
  });

  test('a position far back is shown sometime, and soon where it is not known what its check run says', () => {
    const farBack = shownAs('queued', { ahead: POSITIONS_SHOWN_AT_ONCE });
    const checkRuns = [{ id: 1, completed: false }];

    expect(urgencyOf(farBack, 'something else')).toBe('sometime');
    expect(urgencyOf({ ...farBack, deployment: { ...farBack.deployment, checkRuns } }, undefined)).toBe('soon');
  });
});

function shownAs(status: DeploymentStatus, changes: Partial<Presentation> = {}): Presentation {
  return { deployment: deploymentAt(1, { progress: { status, times: { queued: NOW }, jobs: {} } }), ...changes };
}
