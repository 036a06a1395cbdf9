/** A plan that several people have to confirm. */
import { describe, expect, test } from '@jest/globals';
import type { ReviewRules } from '../../root/model.ts';
import type { PlanReview } from '../../plan/review.ts';
import { anOverride, aPress } from '../../testing.ts';
import { aDenial, aRoot, DIGEST, OTHER_DIGEST, planned, plannedOn } from '../testing.ts';
import { go, play, SHOWN, type Played } from '../testing/played-deployment.ts';
import type { DeploymentEvent } from '../events.ts';

const EACH: ReviewRules = { count: 2, eachOf: ['acme/sre', 'acme/dba'] };
const BOB = { by: 'bob', teams: ['acme/sre'] };
const CAROL = { by: 'carol', teams: ['acme/dba'] };

function asked(review: ReviewRules = { count: 2, eachOf: [] }): Played {
  const deployment = play({ root: aRoot({ review }) });
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  return deployment;
}

function pressOf(more: Partial<PlanReview>): DeploymentEvent {
  const { by = 'bob', answer = 'approved', teams = [] } = more;
  const requestId = [by, answer, ...teams].join(':');
  return {
    kind: 'press',
    press: aPress({ requestId, deploymentId: 'd1', digest: DIGEST, byId: by.charCodeAt(0), ...more }),
  };
}

/** Control says that intake signed it. */
function press(deployment: Played, more: Partial<PlanReview>): void {
  deployment.happens(pressOf(more));
  deployment.answers('verify-press', 'verified');
}

function whoConfirmed({ progress }: Played): readonly string[] {
  return (progress.approvals ?? []).map(({ body }) => body.by);
}

describe('a plan that two people have to confirm', () => {
  test('waits after the first, and shows who that was', () => {
    const deployment = asked();

    press(deployment, BOB);

    expect(deployment.progress).toMatchObject({ status: 'awaiting-review', approvals: [{ body: { by: 'bob' } }] });
    expect(deployment.progress).not.toHaveProperty('review');
    expect(deployment.asks('show').presentation.deployment.progress.approvals).toHaveLength(1);
    expect(deployment.asked('begin')).toEqual([]);
  });

  test('is applied after the second, with the answers of both, and the audit trail has each', () => {
    const deployment = asked();
    press(deployment, BOB);

    press(deployment, CAROL);

    const { beginning } = deployment.asks('begin');
    expect(beginning.review?.body.by).toBe('carol');
    expect(beginning.deployment.progress.approvals?.map(({ body }) => body.by)).toEqual(['bob', 'carol']);
    expect(beginning.audits).toMatchObject([
      { state: 'REVIEWED', initiatingUser: 'bob' },
      { state: 'REVIEWED', initiatingUser: 'carol' },
      { state: 'RUNNING', approvedBy: 'carol' },
    ]);
    deployment.answers('begin', go);
    expect(deployment.progress).toMatchObject({ status: 'applying', review: { by: 'carol' } });
  });

  test('shows nobody of whom it is not known that intake signed the answer', () => {
    const deployment = asked();

    deployment.happens(pressOf(BOB));
    expect(whoConfirmed(deployment)).toEqual([]);
    deployment.fails('verify-press', { kind: 'refused', code: 'FORGED', why: 'nobody signed it' });

    expect(whoConfirmed(deployment)).toEqual([]);
    expect(deployment.progress.status).toBe('awaiting-review');
  });

  test('says so where a Confirm could not be checked', () => {
    const deployment = asked();
    deployment.happens(pressOf(BOB));

    deployment.fails('verify-press', { kind: 'failed', why: 'control is away' });

    expect(deployment.asks('show').presentation.notice).toContain('Press it again');
  });

  test.each([
    ['the same person', BOB],
    ['another person for another plan', { ...CAROL, digest: OTHER_DIGEST }],
    ['the same person under another login', { by: 'robert', byId: 7, teams: ['acme/sre'] }],
  ])('is not confirmed by %s', (_who, more) => {
    const deployment = asked();
    press(deployment, { ...BOB, byId: 7 });

    press(deployment, { requestId: 'again', byId: 7, ...more });

    expect(whoConfirmed(deployment)).toEqual(['bob']);
    expect(deployment.asks('record-refusal').refusal.sentence).toContain('pressed Confirm: ');
    expect(deployment.asked('begin')).toEqual([]);
  });

  test('is not confirmed by somebody of whom only the login is known', () => {
    const deployment = asked();
    press(deployment, BOB);

    const { byId: _unknown, ...body } = aPress({ by: 'robert', deploymentId: 'd1', digest: DIGEST, byId: 7 }).body;
    deployment.happens({ kind: 'press', press: { body, signature: 'of robert' } });
    deployment.answers('verify-press', 'verified');

    expect(whoConfirmed(deployment)).toEqual(['bob']);
    expect(deployment.asks('record-refusal').refusal.sentence).toContain('@robert pressed Confirm: several people');
    expect(deployment.asked('begin')).toEqual([]);
  });

  test.each(['bob', 'dan'])('is rejected by the Reject of one person, whoever confirmed it: %s', (by) => {
    const deployment = asked();
    press(deployment, BOB);

    press(deployment, { by, answer: 'rejected' });

    expect(deployment.progress).toMatchObject({ status: 'rejected', review: { answer: 'rejected', by } });
    expect(deployment.asks('end').ending.audits).toMatchObject([{ initiatingUser: 'bob' }, { initiatingUser: by }]);
  });

  test('that is made again is confirmed by nobody', () => {
    const deployment = asked();
    press(deployment, BOB);
    press(deployment, CAROL);
    deployment.answers('begin', go);

    deployment.answers('apply', { kind: 'plan-unusable', why: 'the state changed' });

    expect(deployment.progress.status).toBe('preparing');
    expect(whoConfirmed(deployment)).toEqual([]);
  });

  test('expires with one answer, which the audit trail has', () => {
    const deployment = asked({ count: 2, eachOf: [], expiresMs: 60_000 });
    press(deployment, BOB);

    deployment.passes(60_000);

    expect(deployment.progress.status).toBe('expired');
    expect(deployment.asks('end').ending.audits).toMatchObject([{ state: 'REVIEWED', initiatingUser: 'bob' }]);
  });
});

test('a plan that a policy denies is confirmed by nobody before an owner has overridden that', () => {
  const deployment = play({ root: aRoot({ review: { count: 2, eachOf: [] } }) });
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ policies: [aDenial()] })));
  deployment.answers('show', SHOWN);
  press(deployment, BOB);
  expect(whoConfirmed(deployment)).toEqual([]);

  deployment.happens({ kind: 'press', press: anOverride({ deploymentId: 'd1', digest: DIGEST }) });
  deployment.answers('verify-press', 'verified');
  press(deployment, { ...BOB, requestId: 'again' });
  press(deployment, CAROL);

  expect(deployment.asks('begin').beginning.deployment.progress).toMatchObject({
    overrides: [{ body: { by: 'olga' } }],
    approvals: [{ body: { by: 'bob' } }, { body: { by: 'carol' } }],
  });
});

describe('a plan that somebody of each team has to confirm', () => {
  test('waits for the other team, however many of one confirm it', () => {
    const deployment = asked(EACH);
    press(deployment, BOB);
    press(deployment, { by: 'dan', teams: ['acme/sre'] });
    expect(deployment.asked('begin')).toEqual([]);

    press(deployment, CAROL);

    expect(deployment.asked('begin')).toHaveLength(1);
  });

  test('takes the newest answer of a person who has come to a team, after the trail was told of the one before', () => {
    const deployment = asked(EACH);
    press(deployment, { by: 'bob', teams: [] });

    press(deployment, BOB);

    expect(deployment.progress.approvals).toMatchObject([{ body: { teams: ['acme/sre'] } }]);
    expect(deployment.asks('record-unapplied').unapplied).toMatchObject({
      audits: [{ id: 'bob:approved:REVIEWED' }],
      deployment: { progress: { approvals: [{ body: { teams: [] } }] } },
    });
  });
});
