import { describe, expect, test } from '@jest/globals';
import type { Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { ENDED_STATUSES } from '../../../deployment/status.ts';
import { aLock, aRoot } from '../../../testing/samples.ts';
import fc from 'fast-check';
import { passes } from '../../../deployment/rules/lock.ts';
import { hasHappened, lockWhenEnded, lockWhenPopped } from './lock.ts';
import { deploymentAt, NOW } from '../../../testing.ts';

const HAPPENED = ['succeeded', 'no-changes', 'apply-failed', 'apply-outcome-unknown'] as const;
const BEFORE_APPLY = ENDED_STATUSES.filter((status) => !hasHappened(status));

const merged = deploymentAt(1);
const manual = deploymentAt(2, { trigger: 'manual', requestedBy: 'bob' });
const rerun = deploymentAt(1, { rerun: true });
const halting = deploymentAt(1, { root: { ...aRoot(), onFailure: 'halt' } });

const kinds = ['manual', 'failed', 'outcome-unknown'] as const;

describe('what passes', () => {
  test('everything, while the lane is not locked', () => {
    expect([merged, manual, rerun].every((deployment) => passes(deployment, undefined))).toBe(true);
  });

  test.each(kinds)('no merged revision, while the lane is locked (%s)', (kind) => {
    expect(passes(merged, aLock(kind))).toBe(false);
  });

  test.each(kinds)('a rerun of the very revision that the lock is about (%s)', (kind) => {
    expect(passes(rerun, lockOf(rerun, kind))).toBe(true);
  });

  test.each(kinds)('no merged rerun of another revision (%s)', (kind) => {
    expect(passes(rerun, aLock(kind))).toBe(false);
  });

  test.each([
    ['manual', true],
    ['failed', true],
    ['outcome-unknown', false],
  ] as const)('a manual deployment, unless the outcome of an apply is unknown (%s)', (kind, does) => {
    expect(passes(manual, aLock(kind))).toBe(does);
  });
});

describe('when a deployment is popped', () => {
  test('a manual one locks, and the lock says who, when and what', () => {
    const lock = lockWhenPopped(manual, undefined, NOW);

    expect(lock).toEqual({ kind: 'manual', deploymentId: '2', revision: manual.revision.sha, by: 'bob', at: NOW });
  });

  test('the lock has the id of the person, because a login may change hands', () => {
    expect(lockWhenPopped({ ...manual, requestedById: 7 }, undefined, NOW)).toMatchObject({ by: 'bob', byId: 7 });
  });

  test.each([
    ['merged', merged],
    ['manual rerun', { ...manual, rerun: true }],
  ])('a %s one leaves the lock as it is', (_kind, deployment) => {
    const lock = aLock('failed');

    expect(lockWhenPopped(deployment, lock, NOW)).toBe(lock);
    expect(lockWhenPopped(deployment, undefined, NOW)).toBeUndefined();
  });
});

describe('when a deployment ended', () => {
  test.each(BEFORE_APPLY)('an end before the apply (%s) gives back the lock that it found', (status) => {
    const foundLock = aLock('failed');

    expect(lockWhenEnded({ ...manual, foundLock }, status, lockOf(manual), NOW)).toBe(foundLock);
  });

  test.each(BEFORE_APPLY)('an end before the apply (%s) locks nothing that was unlocked meanwhile', (status) => {
    expect(lockWhenEnded({ ...manual, foundLock: aLock() }, status, undefined, NOW)).toBeUndefined();
  });

  test.each(['succeeded', 'no-changes', 'apply-failed'] as const)(
    'the lock stays when a deployment happened (%s)',
    (status) => {
      const lock = lockOf(manual);

      expect(lockWhenEnded(manual, status, lock, NOW)).toBe(lock);
    },
  );

  test.each(['succeeded', 'no-changes'] as const)('well (%s), an unlock while it ran holds', (status) => {
    expect(lockWhenEnded(manual, status, undefined, NOW)).toBeUndefined();
  });

  test('with a failed apply, it locks where the root says halt', () => {
    expect(lockWhenEnded(halting, 'apply-failed', undefined, NOW)).toMatchObject({ kind: 'failed', deploymentId: '1' });
  });

  test('with a failed apply, it does not lock where the root says continue', () => {
    expect(lockWhenEnded(merged, 'apply-failed', undefined, NOW)).toBeUndefined();
  });

  test('with an unknown outcome, it locks whatever the root says', () => {
    expect(lockWhenEnded(merged, 'apply-outcome-unknown', undefined, NOW)).toMatchObject({ kind: 'outcome-unknown' });
  });

  test.each(['failed', 'outcome-unknown'] as const)('a rerun that mends (%s) lifts the lock', (kind) => {
    expect(lockWhenEnded(rerun, 'succeeded', lockOf(rerun, kind), NOW)).toBeUndefined();
  });

  test('as a rerun that failed again, it locks again', () => {
    const again = { ...halting, rerun: true };

    expect(lockWhenEnded(again, 'apply-failed', lockOf(again, 'failed'), NOW)).toMatchObject({ kind: 'failed' });
  });

  test('it leaves the lock of another revision alone', () => {
    const lock = aLock('failed');

    expect(lockWhenEnded(merged, 'succeeded', lock, NOW)).toBe(lock);
  });
});

test('what has happened is an apply that began, or a plan without changes', () => {
  expect(ENDED_STATUSES.filter(hasHappened)).toEqual(HAPPENED);
});

describe('for every deployment, lock and end', () => {
  const someLock = fc.option(fc.constantFrom(...kinds).map(aLock), { nil: undefined });
  const someDeployment = fc.record({
    trigger: fc.constantFrom('merge' as const, 'manual' as const),
    rerun: fc.boolean(),
  });

  test('what ends before its apply leaves the lane locked as it was before it was popped', () => {
    fc.assert(
      fc.property(someDeployment, someLock, fc.constantFrom(...BEFORE_APPLY), (changes, found, status) => {
        const popped = deploymentAt(1, { ...changes, ...(found && { foundLock: found }) });

        expect(lockWhenEnded(popped, status, lockWhenPopped(popped, found, NOW), NOW)).toBe(found);
      }),
    );
  });

  test('a rerun never locks by being popped', () => {
    fc.assert(
      fc.property(someDeployment, someLock, (changes, lock) => {
        expect(lockWhenPopped(deploymentAt(1, { ...changes, rerun: true }), lock, NOW)).toBe(lock);
      }),
    );
  });
});

function lockOf(deployment: Deployment, kind: Lock['kind'] = 'manual'): Lock {
  return { ...aLock(kind), deploymentId: deployment.id, revision: deployment.revision.sha };
}
