import type { EndedStatus } from '../../../deployment/status.ts';
import type { TakenTurn } from '../../turn.ts';
import { describe, expect, test } from '@jest/globals';
import { deploymentAt, NOW } from '../../../testing.ts';
import { areOfOneBranch, lockAfter, stateAfter } from './turn.ts';

const LATER = '2026-01-31T15:00:00.000Z';

function aTurn(more: Partial<TakenTurn['deployment']> = {}, lifted?: TakenTurn['lifted']): TakenTurn {
  const { id, revision, requestedBy, root } = deploymentAt(1);
  const halts = { name: root.name, onFailure: 'halt' } as const;
  const deployment = { id, revision, trigger: 'merge', rerun: false, requestedBy, root: halts, ...more } as const;
  return { deployment, pool: 'default', at: NOW, jobIds: ['j1'], ...(lifted && { lifted }) };
}

const byHand = { trigger: 'manual' } as const;
const foundLock = { kind: 'failed', deploymentId: 'd0', revision: 'r0', by: 'ada', at: NOW } as const;

describe('the lock after the last apply of a lane', () => {
  test.each<[EndedStatus, string | undefined]>([
    ['succeeded', undefined],
    ['apply-failed', 'failed'],
    ['apply-outcome-unknown', 'outcome-unknown'],
    ['cancelled', undefined],
  ])('that was merged, and ended as %s', (status, kind) => {
    expect(lockAfter(aTurn(), { status, at: LATER })?.kind).toBe(kind);
  });

  test('that was manual is its own, unless nothing was applied', () => {
    expect(lockAfter(aTurn(byHand), { status: 'succeeded', at: LATER })?.kind).toBe('manual');
    expect(lockAfter(aTurn(byHand), { status: 'cancelled', at: LATER })).toBeUndefined();
  });

  test('is the one that it found, if nothing was applied', () => {
    expect(lockAfter(aTurn({ ...byHand, foundLock }), { status: 'cancelled', at: LATER })).toEqual(foundLock);
  });

  test.each<[EndedStatus, string | undefined]>([
    ['succeeded', undefined],
    ['cancelled', undefined],
    ['apply-failed', 'failed'],
  ])('is gone if it was lifted while that ran, but not what the end set: %s', (status, kind) => {
    const lifted = aTurn({ ...byHand, foundLock }, 'before its end');

    expect(lockAfter(lifted, { status, at: LATER })?.kind).toBe(kind);
  });

  test('is gone for good once it was lifted after the end, however late its outcome is known', () => {
    for (const status of ['apply-outcome-unknown', 'apply-failed', 'succeeded'] as const)
      expect(lockAfter(aTurn(byHand, 'after its end'), { status, at: LATER })).toBeUndefined();
  });
});

describe('the state after the last apply of a lane', () => {
  const state = { lineage: 'aaaa' };
  const lineageOf = (stateVersion?: string) => ({ hasChanges: true, ...(stateVersion && { stateVersion }) });

  test.each<[string, EndedStatus, TakenTurn['plan'], object | undefined]>([
    ['is the one that was planned', 'apply-failed', lineageOf('9 bbbb'), { lineage: 'bbbb' }],
    ['is the one that it made', 'succeeded', lineageOf('0 '), {}],
    ['is that before it, where it may have made none', 'apply-failed', lineageOf('0 '), state],
    ['is that before it, where its plan does not tell', 'succeeded', lineageOf(), state],
    ['is that before it, where it never began', 'cancelled', lineageOf('9 bbbb'), state],
    ['is known to nobody, where an earlier release gave the permission', 'succeeded', undefined, undefined],
  ])('%s', (_what, status, plan, left) => {
    expect(stateAfter({ last: { ...aTurn(), ...(plan && { plan }) }, state }, { status })).toEqual(left);
  });
});

test('two deployments are of one branch, unless one of them was asked for by hand', () => {
  const [merge, other] = [deploymentAt(1), deploymentAt(2)];

  expect(areOfOneBranch(merge, other)).toBe(true);
  expect(areOfOneBranch(merge, { ...other, trigger: 'manual', rerun: true })).toBe(true);
  expect(areOfOneBranch({ ...merge, ...byHand }, other)).toBe(false);
  expect(areOfOneBranch(merge, { ...other, ...byHand })).toBe(false);
  expect(areOfOneBranch(merge, { ...other, revision: { ...other.revision, branch: 'other' } })).toBe(false);
});
