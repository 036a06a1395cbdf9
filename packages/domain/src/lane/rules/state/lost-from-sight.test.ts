import { describe, expect, test } from '@jest/globals';
import type { ApplyOutcome } from '../../../deployment/job/apply-outcome.ts';
import type { Progress } from '../../../deployment/progress.ts';
import { deploymentAt, NOW, progressAs } from '../../../testing.ts';
import { lostFromSight } from './lost-from-sight.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const at = (progress: Progress) => deploymentAt(1, { progress });
const lost = (outcome?: ApplyOutcome, hostId?: string) =>
  lostFromSight(
    at(progressAs('applying')),
    { kind: 'closed', apply: { jobId: 'job', ...(hostId && { hostId }), ...(outcome && { outcome }) } },
    LATER,
  );

describe('a deployment whose terraform workflow closed without a result', () => {
  test('has the end that it had', () => {
    const ended = at(progressAs('rejected'));

    expect(lostFromSight(ended, { kind: 'closed' }, LATER)).toBe(ended.progress);
  });

  test('is cancelled where it applied nothing', () => {
    expect(lostFromSight(at(progressAs('planning')), { kind: 'closed' }, LATER)).toMatchObject({
      status: 'cancelled',
      reason: 'The terraform workflow was ended before it applied anything.',
      times: { planning: NOW, cancelled: LATER },
    });
  });

  test.each<[ApplyOutcome, Partial<Progress>]>([
    [
      { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } },
      { status: 'succeeded', applied: { added: 1, changed: 0, destroyed: 0, imported: 0 } },
    ],
    [
      { kind: 'failed', failure: { body: { summary: 'It failed', lines: [] } } },
      { status: 'apply-failed', failure: { body: { summary: 'It failed', lines: [] } } },
    ],
    [{ kind: 'plan-unusable', why: 'stale' }, { status: 'cancelled' }],
    [{ kind: 'not-begun' }, { status: 'cancelled' }],
    [
      { kind: 'unknown', why: 'Terraform was killed' },
      { status: 'apply-outcome-unknown', reason: 'Terraform was killed' },
    ],
  ])('has the outcome of its apply that somebody knows: %j', (outcome, expected) => {
    expect(lost(outcome)).toMatchObject(expected);
  });

  test('has an unknown outcome where nobody knows one, and the host that may know', () => {
    expect(lost().reason).toBe(
      'The terraform workflow was ended while it applied. Look at the state before you go on.',
    );
    expect(lost(undefined, 'h1')).toMatchObject({
      status: 'apply-outcome-unknown',
      hostId: 'h1',
      reason: expect.stringContaining('while it applied on host h1.'),
      jobs: { apply: { id: 'job', startedAt: LATER, endedAt: LATER } },
    });
  });

  test('keeps when its apply began', () => {
    const apply = { id: 'job', startedAt: NOW };
    const applying = at({ ...progressAs('applying'), jobs: { apply } });

    expect(lostFromSight(applying, { kind: 'closed', apply: { jobId: 'job' } }, LATER).jobs.apply).toEqual({
      ...apply,
      endedAt: LATER,
    });
  });
});
