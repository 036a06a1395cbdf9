import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { aDeployment, aPlan, aPress } from '@nereid/domain/testing';
import { timelineOf } from './timeline.ts';

const approved = { answer: 'approved', by: 'carol', at: '2026-01-31T14:10:00.000Z' } as const;

describe('the four steps', () => {
  const plan = aPlan();
  test.each<[string, Partial<Progress> & Pick<Progress, 'status'>, string]>([
    ['that waits', { status: 'queued' }, 'Queued:current Plan:to-come Review:to-come Apply:to-come'],
    [
      'that something outside holds up',
      { status: 'blocked' },
      'Queued:current Plan:to-come Review:to-come Apply:to-come',
    ],
    [
      'whose apply waits for its window',
      { status: 'blocked', plan, review: approved },
      'Queued:done Planned:done Confirmed by carol:done Apply waits:current',
    ],
    ['that is planned', { status: 'planning' }, 'Queued:done Planning:current Review:to-come Apply:to-come'],
    [
      'that waits for a person',
      { status: 'awaiting-review', plan },
      'Queued:done Planned:done Waiting for a review:current Apply:to-come',
    ],
    [
      'that is applied',
      { status: 'succeeded', plan, review: approved },
      'Queued:done Planned:done Confirmed by carol:done Applied:done',
    ],
    [
      'that nobody had to review',
      { status: 'applying', plan: aPlan({ reviewRequired: false }) },
      'Queued:done Planned:done Review:left-out Applying:current',
    ],
    [
      'that was rejected',
      { status: 'rejected', plan, review: { ...approved, answer: 'rejected' } },
      'Queued:done Planned:done Rejected by carol:failed Apply:left-out',
    ],
    ['whose plan failed', { status: 'plan-failed' }, 'Queued:done Plan failed:failed Review:left-out Apply:left-out'],
    [
      'whose outcome is unknown',
      { status: 'apply-outcome-unknown', plan, review: approved },
      'Queued:done Planned:done Confirmed by carol:done Apply interrupted:failed',
    ],
    ['that was skipped', { status: 'skipped' }, 'Queued:done Plan:left-out Review:left-out Apply:left-out'],
  ])('a deployment %s shows how far it is in four steps', (_name, progress, story) => {
    const steps = timelineOf(aDeploymentView(progress));

    expect(steps.map(({ title, state }) => `${title}:${state}`).join(' ')).toBe(story);
  });
});

test('a step has the time at which it was done', () => {
  const times = { 'awaiting-review': '2026-01-31T14:05:00.000Z', succeeded: '2026-01-31T14:11:00.000Z' };

  const steps = timelineOf(aDeploymentView({ status: 'succeeded', times, plan: aPlan(), review: approved }));

  expect(steps.map(({ at }) => at?.slice(11, 16))).toEqual(['14:00', '14:05', '14:10', '14:11']);
});

test('the people are named who have confirmed a plan that several have to', () => {
  const approvals = [aPress({ by: 'bob' }), aPress({ by: 'carol' })];
  const [, , waiting] = timelineOf(aDeploymentView({ status: 'awaiting-review', plan: aPlan(), approvals }));
  const [, , confirmed] = timelineOf(
    aDeploymentView({ status: 'applying', plan: aPlan(), approvals, review: approved }),
  );

  expect(waiting).toMatchObject({ title: 'Waiting for a review', detail: 'Confirmed by bob, carol' });
  expect(confirmed).toMatchObject({ title: 'Confirmed by carol', detail: 'Confirmed by bob, carol' });
});

test('the rule is named that confirmed a plan', () => {
  const view = aDeploymentView({ status: 'applying', plan: aPlan({ reviewRequired: false }) });

  const [, , reviewed] = timelineOf({ ...view, confirmedBy: 'the rule of dns/**: no destroy' });

  expect(reviewed).toEqual({ title: 'Confirmed by a rule', state: 'done', detail: 'the rule of dns/**: no destroy' });
});

function aDeploymentView(progress: Partial<Progress> & Pick<Progress, 'status'>) {
  const deployment = aDeployment(progress);
  return { deployment, progress: deployment.progress };
}
