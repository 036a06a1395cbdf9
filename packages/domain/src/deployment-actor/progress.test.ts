import { describe, expect, test } from '@jest/globals';
import { aPlan, aProgress } from './testing.ts';
import { advance, endOfApply, failed, newProgress, planAgain } from './progress.ts';

const AT = '2026-11-21T08:00:00.000Z';

describe('a progress that moves on', () => {
  test('remembers when it entered each status', () => {
    const progress = advance(newProgress('before'), 'planning', AT);

    expect(progress).toMatchObject({ status: 'planning', times: { preparing: 'before', planning: AT } });
  });

  test('drops the reason of the status before', () => {
    const waiting = aProgress({ reason: 'Waiting for a host', waitsFor: 'host' });

    expect(advance(waiting, 'planning', AT)).toEqual({ status: 'planning', times: { planning: AT }, jobs: {} });
  });

  test('has forgotten plan and review when it is planned again: nobody approved the next plan', () => {
    const review = { answer: 'approved', by: 'grace', at: AT } as const;

    const progress = planAgain(aProgress({ plan: aPlan(), review }), AT, 'Planned again: the state changed');

    expect(progress).toEqual({
      status: 'preparing',
      times: { preparing: AT },
      jobs: {},
      reason: 'Planned again: the state changed',
    });
  });
});

describe('the end of an apply', () => {
  const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };

  test('that applied changes is succeeded', () => {
    expect(endOfApply({ kind: 'applied', counts }, aPlan().made.body)).toEqual({
      status: 'succeeded',
      more: { applied: counts },
    });
  });

  test('of a plan without changes is no-changes', () => {
    expect(endOfApply({ kind: 'applied', counts }, aPlan({ hasChanges: false }).made.body).status).toBe('no-changes');
  });

  test('that failed is apply-failed, with what Terraform said', () => {
    const failure = { body: { summary: 'exit code 1', lines: ['Error: no'] } };

    expect(endOfApply({ kind: 'failed', failure }, aPlan().made.body)).toEqual({
      status: 'apply-failed',
      more: { failure },
    });
  });

  test('of which nobody knows is apply-outcome-unknown', () => {
    expect(endOfApply({ kind: 'unknown', why: 'killed' }, aPlan().made.body).status).toBe('apply-outcome-unknown');
  });

  test('is none, when the plan could not be used', () => {
    expect(endOfApply({ kind: 'plan-unusable', why: 'stale' }, aPlan().made.body)).toBeUndefined();
  });
});

test('the summary of a failure fits a title', () => {
  expect(failed('x'.repeat(1_000)).body.summary).toHaveLength(200);
});
