/** A plan that was confirmed cannot be used, and another one is made in its place. */
import { describe, expect, test } from '@jest/globals';
import type { MadePlan } from '../../plan/model.ts';
import type { Root } from '../../root/model.ts';
import { aPress } from '../../testing.ts';
import { aDenial, aRoot, DIGEST, OTHER_DIGEST, planned, plannedOn } from '../testing.ts';
import { go, play, SHOWN, type Played } from '../testing/played-deployment.ts';

const CHANGES = 'c3'.repeat(32);

const CARRIES = { carryReview: 'same_plan' } as const;

const press = aPress({ deploymentId: 'd1', digest: DIGEST });
const rejection = aPress({ deploymentId: 'd1', requestId: 'rejection', digest: DIGEST, answer: 'rejected', by: 'ada' });
const carried = aPress({ deploymentId: 'd1', requestId: 'carried', digest: OTHER_DIGEST, carriedFrom: DIGEST });

/** Its first plan was confirmed, and its apply could not begin. */
function planningAgain(root: Partial<Root> = CARRIES): Played {
  const deployment = play({ root: aRoot(root), state: { lineage: 'abc' } });
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ changes: CHANGES })));
  deployment.answers('show', SHOWN);
  deployment.happens({ kind: 'press', press });
  deployment.answers('begin', go);
  deployment.answers('apply', { kind: 'plan-unusable', why: 'the state changed' });
  return deployment;
}

/** The next plan is this one. */
function replanned(next: Partial<MadePlan>, root?: Partial<Root>): Played {
  const deployment = planningAgain(root);
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ digest: OTHER_DIGEST, ...next })));
  return deployment;
}

const isAsked = (deployment: Played) => deployment.asked('show').length + deployment.asked('verify-plan').length > 0;

describe('a plan that changes the same as the one that was confirmed', () => {
  test('goes on without another question, once control says that the answer counts for it', () => {
    const deployment = replanned({ changes: CHANGES });
    const { plan, confirmed } = deployment.asks('carry-review');

    expect(plan.made.body.digest).toBe(OTHER_DIGEST);
    expect(confirmed).toMatchObject({ made: { body: { digest: DIGEST } }, approvals: [press] });
    deployment.answers('carry-review', { kind: 'carried', approvals: [carried] });

    const { beginning } = deployment.asks('begin');
    expect(beginning.review).toBe(carried);
    expect(beginning.audits).toMatchObject([
      { action: 'confirm', initiatingUser: 'grace', carriedFrom: DIGEST },
      { state: 'RUNNING', approvedBy: 'grace' },
    ]);
    deployment.answers('begin', { ...go, body: { ...go.body, digest: OTHER_DIGEST } });
    expect(deployment.progress).toMatchObject({ status: 'applying', review: { by: 'grace', press: carried } });
  });

  test.each([
    [
      'control says no',
      (deployment: Played) => deployment.answers('carry-review', { kind: 'not-carried', why: 'old' }),
    ],
    ['control cannot say', (deployment: Played) => deployment.fails('carry-review', { kind: 'failed', why: 'away' })],
    [
      'somebody forged the answer',
      (deployment: Played) => deployment.fails('carry-review', { kind: 'refused', code: 'FORGED', why: 'forged' }),
    ],
    [
      'control names nobody',
      (deployment: Played) => deployment.answers('carry-review', { kind: 'carried', approvals: [] }),
    ],
  ])('is shown to a person where %s', (_what, says) => {
    const deployment = replanned({ changes: CHANGES });

    says(deployment);

    expect(isAsked(deployment)).toBe(true);
    deployment.answers('show', SHOWN);
    expect(deployment.progress.status).toBe('awaiting-review');
    expect(deployment.progress).not.toHaveProperty('review');
  });

  test('is shown to a person where somebody rejects the confirmed one while control compares them', () => {
    const deployment = replanned({ changes: CHANGES });

    deployment.happens({ kind: 'press', press: rejection });
    deployment.answers('carry-review', { kind: 'carried', approvals: [carried] });

    expect(deployment.asked('begin')).toEqual([]);
    expect(isAsked(deployment)).toBe(true);
  });

  test('of which a third is made in its place needs no more than that', () => {
    const deployment = replanned({ changes: CHANGES });
    deployment.answers('carry-review', { kind: 'carried', approvals: [carried] });
    deployment.answers('begin', go);
    deployment.answers('apply', { kind: 'plan-unusable', why: 'the state changed' });

    deployment.answers('plan', plannedOn('d1', 'h1', planned({ digest: 'd4'.repeat(32), changes: CHANGES })));

    expect(deployment.asks('carry-review').confirmed.approvals).toEqual([carried]);
  });
});

describe('a person is asked again about a plan', () => {
  test.each<[string, Partial<MadePlan>, Partial<Root>]>([
    ['that changes something else', { changes: 'e5'.repeat(32) }, CARRIES],
    ['of which the host does not know all', {}, CARRIES],
    ['of a root that asks about each', { changes: CHANGES }, {}],
    ['of a state that was emptied meanwhile', { changes: CHANGES, stateVersion: '0 ' }, CARRIES],
    ['that may be of another workspace', { changes: CHANGES, doubt: 'the workspace is empty' }, CARRIES],
    ['that a policy denies', { changes: CHANGES, policies: [aDenial()] }, CARRIES],
  ])('%s', (_what, next, root) => {
    const deployment = replanned(next, root);

    expect(deployment.asked('carry-review')).toEqual([]);
    expect(isAsked(deployment)).toBe(true);
  });

  test('whose predecessor somebody rejected while it was made again', () => {
    const deployment = planningAgain();
    deployment.happens({ kind: 'press', press: rejection });
    deployment.answers('verify-press', 'verified');

    deployment.answers('plan', plannedOn('d1', 'h1', planned({ digest: OTHER_DIGEST, changes: CHANGES })));

    expect(deployment.asked('carry-review')).toEqual([]);
    expect(isAsked(deployment)).toBe(true);
  });

  test('whose predecessor nobody had to confirm', () => {
    const deployment = play({ root: aRoot({ planReview: 'auto_unless_destroy', carryReview: 'same_plan' }) });
    deployment.answers('plan', plannedOn('d1', 'h1', planned({ changes: CHANGES })));
    deployment.answers('begin', go);
    deployment.answers('apply', { kind: 'plan-unusable', why: 'the state changed' });

    deployment.answers('plan', plannedOn('d1', 'h1', planned({ digest: OTHER_DIGEST, changes: CHANGES })));

    expect(deployment.asked('carry-review')).toEqual([]);
  });
});

test('a deployment that is cancelled while control compares its plans is over', () => {
  const deployment = replanned({ changes: CHANGES });

  deployment.happens({ kind: 'cancel-requested', at: '2026-01-31T14:00:00.000Z' });
  deployment.fails('carry-review', { kind: 'cancelled', why: 'cancelled' });

  expect(deployment.progress.status).toBe('cancelled');
});
