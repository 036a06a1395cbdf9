import type { EndedStatus, TakenTurn } from '@nereid/contracts';
import { describe, expect, test } from '@jest/globals';
import { deploymentAt, NOW } from '../testing.ts';
import { goesBack, lockAfter, unlessUnlocked } from './turn.ts';

const LATER = '2026-01-31T15:00:00.000Z';
const LAST = '2026-01-31T16:00:00.000Z';

function turnOf(more: Partial<TakenTurn['deployment']> = {}): TakenTurn {
  const { id, revision, requestedBy, root } = deploymentAt(1);
  const { name } = root;
  const halts = { name, onFailure: 'halt' } as const;
  return { deployment: { id, revision, trigger: 'merge', rerun: false, requestedBy, root: halts, ...more }, at: NOW };
}

const manual = turnOf({ trigger: 'manual' });

describe('the lock after the last apply of a lane', () => {
  test.each<[EndedStatus, string | undefined]>([
    ['succeeded', undefined],
    ['apply-failed', 'failed'],
    ['apply-outcome-unknown', 'outcome-unknown'],
    ['cancelled', undefined],
  ])('that was merged, and ended as %s', (status, kind) => {
    expect(lockAfter(turnOf(), { status, at: LATER }, undefined)?.kind).toBe(kind);
  });

  test('that was manual is its own, unless nothing was applied', () => {
    expect(lockAfter(manual, { status: 'succeeded', at: LATER }, undefined)?.kind).toBe('manual');
    expect(lockAfter(manual, { status: 'cancelled', at: LATER }, undefined)).toBeUndefined();
  });

  test('is the one that it found, if nothing was applied', () => {
    const foundLock = { kind: 'failed', deploymentId: 'd0', revision: 'r0', by: 'ada', at: NOW } as const;

    expect(
      lockAfter(turnOf({ ...manual.deployment, foundLock }), { status: 'cancelled', at: LATER }, undefined),
    ).toEqual(foundLock);
  });

  test('does not hold once a person might lift it', () => {
    expect(lockAfter(manual, { status: 'succeeded', at: LATER }, { by: 'grace', at: NOW })).toBeUndefined();
    expect(lockAfter(turnOf(), { status: 'apply-failed', at: LATER }, { by: 'grace', at: LAST })).toBeUndefined();
  });

  test('holds if that was before it was set', () => {
    expect(lockAfter(turnOf(), { status: 'apply-failed', at: LATER }, { by: 'grace', at: NOW })?.kind).toBe('failed');
    expect(unlessUnlocked(undefined, { by: 'grace', at: NOW })).toBeUndefined();
  });
});

describe('a deployment goes back', () => {
  const at = (position: number, more = {}) => deploymentAt(position, more);
  const last: TakenTurn = { deployment: { ...turnOf().deployment, ...at(5) }, at: NOW };

  test('where a newer commit of its branch was applied', () => {
    expect([at(4), at(5), at(6)].map((one) => goesBack(one, last))).toEqual([true, false, false]);
    expect(goesBack(at(4, { trigger: 'manual', rerun: true }), last)).toBe(true);
  });

  test('not where one of them was asked for by hand: its commit is of another branch', () => {
    const byHand = { trigger: 'manual', rerun: false } as const;

    expect(goesBack(at(4, byHand), last)).toBe(false);
    expect(goesBack(at(4), { ...last, deployment: { ...last.deployment, ...byHand } })).toBe(false);
    expect(goesBack(at(4, { revision: { ...at(4).revision, branch: 'other' } }), last)).toBe(false);
  });
});
