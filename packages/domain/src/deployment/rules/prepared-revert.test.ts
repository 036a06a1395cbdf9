import { describe, expect, test } from '@jest/globals';
import { NO_CHANGES, type PlanSummary } from '../../plan/summary.ts';
import { aDeployment, aFailure, aPlan } from '../../testing.ts';
import type { Deployment } from '../model.ts';
import type { Progress } from '../progress.ts';
import type { Reverting } from '../request.ts';
import { mayBeHalfApplied, preparedRevert, revertIdOf, wayInWords } from './prepared-revert.ts';

const GOOD = 'abc1234'.padEnd(40, '0');
const FAILED = 'def5678'.padEnd(40, '0');

function planOf(progress: Pick<Progress, 'status'> & Partial<Progress>, more: Partial<Reverting> = {}): Deployment {
  const plan = aDeployment(progress);
  const reverts = { deploymentId: 'd1', ...more };
  return {
    ...plan,
    id: 'd2',
    trigger: 'preview',
    revision: { ...plan.revision, sha: GOOD },
    preview: { headSha: FAILED, baseSha: GOOD, expiresAt: '2026-11-13T00:00:00.000Z', reverts },
  };
}

function planned(changes: Partial<PlanSummary>, hasChanges = true): Deployment {
  const summary = { ...NO_CHANGES, resources: [], omitted: 0, ...changes };
  return planOf({ status: 'planned', plan: aPlan({ summary, hasChanges }) });
}

function said(plan: Deployment): string | undefined {
  return preparedRevert('d1', plan)?.sentence;
}

describe('what going back would do', () => {
  test.each<[string, Partial<PlanSummary>]>([
    ['would destroy 1, change 2', { update: 2, delete: 1 }],
    ['would replace 1, create 3', { replace: 1, create: 3 }],
    ['would forget 1, move 2', { forget: 1, move: 2 }],
    ['would make 2 unknown changes, destroy 1', { unknown: 2, delete: 1 }],
    ['would change only outputs', { outputs: 2 }],
  ])('%s', (words, changes) => {
    expect(said(planned(changes))).toBe(`Going back to abc1234 ${words}.`);
  });

  test('is nothing where the failed apply changed nothing', () => {
    expect(said(planned({}, false))).toBe('Going back to abc1234 would change nothing.');
  });

  test('names the pull request and the day of the last good revision, as far as they are known', () => {
    const plan = { status: 'planned', plan: aPlan({ hasChanges: false }) } as const;
    const both = { toPullRequest: 41, deployedAt: '2026-11-12T09:00:00.000Z' };

    expect(said(planOf(plan, both))).toMatch(/^Going back to abc1234 \(#41, deployed 2026-11-12\) would /);
    expect(said(planOf(plan, { toPullRequest: 41 }))).toMatch(/^Going back to abc1234 \(#41\) would /);
  });

  test('is not known where it cannot be planned; what is said of that quotes nobody', () => {
    const failure = aFailure({ summary: 'It went well' });

    expect(said(planOf({ status: 'plan-failed', failure }))).toBe(
      'Going back to abc1234 cannot be planned: its log says why.',
    );
  });

  test.each(['queued', 'planning', 'cancelled', 'host-lost'] as const)('is not said of a plan that is %s', (status) => {
    expect(preparedRevert('d1', planOf({ status }))).toBeUndefined();
  });

  test('is not said by the plan of another deployment, or of a pull request', () => {
    const plan = planned({ create: 1 });
    const { reverts: _not, ...parents } = plan.preview ?? { headSha: '', baseSha: '', expiresAt: '' };

    expect(preparedRevert('d9', plan)).toBeUndefined();
    expect(preparedRevert('d1', { ...plan, preview: parents })).toBeUndefined();
  });
});

describe('how to go back', () => {
  const way = (more: Partial<Reverting>) => {
    const plan = planOf({ status: 'planned', plan: aPlan() }, more);
    return wayInWords(preparedRevert('d1', plan)?.way ?? []);
  };

  test('is the Revert of the pull request that failed', () => {
    expect(way({ pullRequest: 42 })).toBe('To go back, press Revert on #42.');
  });

  test('is a revert of the commit where no pull request is known', () => {
    expect(way({})).toBe('To go back, revert def5678.');
  });

  test.each([
    [0, ''],
    [1, ' 1 more commit came after abc1234: if it changed this root, revert that, too.'],
    [3, ' 3 more commits came after abc1234: if they changed this root, revert that, too.'],
  ])('takes more than that where %i other commits came in between', (between, more) => {
    expect(way({ pullRequest: 42, between })).toBe(`To go back, press Revert on #42.${more}`);
  });
});

test('the plan of going back has an id of its own, which no order of another request makes', () => {
  const id = '3f2a8c1e-0d4b-8e7a-8c55-1f0e6b7a2d90';

  expect(revertIdOf(id)).toBe('3f2a8c1e-0d4b-8e7a-9c55-1f0e6b7a2d90');
});

test('only an apply that failed, or was interrupted, may leave a root between two revisions', () => {
  const may = (status: Progress['status']) => mayBeHalfApplied({ status });

  expect([may('apply-failed'), may('apply-outcome-unknown'), may('plan-failed'), may('succeeded')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
