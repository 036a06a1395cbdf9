import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, BegunApply } from '@nereid/domain/deployment';
import type { PlanReview, PolicyOverride } from '@nereid/domain/plan';
import { auditEvent, type TrailEvent } from '@nereid/domain/trail';
import { anOverride, aPlan, aPress, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { asOrdered, notingSignatures, testSignatures } from '../../testing/test-signatures.ts';
import { recordRefusal, recordUnapplied } from './record-aside.ts';
import { publishTo } from '../../testing/publish-to.ts';
import type { Signed } from '@nereid/domain/signed';
import type { AnsweringPress } from '@nereid/domain/deployment-actor';

const AT = '2026-01-31T14:00:00.000Z';
const JOB = { id: '1-apply-1', startedAt: AT, endedAt: '2026-01-31T14:01:00.000Z' };
const SENTENCE = '@grace pressed Confirm: @bob confirmed this plan already.';

let trail: TrailEvent[];
let forged: string[];
/** What storage knows of the apply by now. */
let marker: Pick<BegunApply, 'jobId'> | undefined;
let context: Parameters<typeof recordUnapplied>[0];

beforeEach(() => {
  trail = [];
  forged = [];
  marker = undefined;
  context = {
    signatures: notingSignatures(forged),
    begunApplies: { of: () => ({ read: () => Promise.resolve(marker) }) },
    laneTurns: { read: () => Promise.resolve(undefined) },
    publish: publishTo((event) => Promise.resolve(void trail.push(event))),
  } as unknown as typeof context; // The rest of a marker says nothing here.
});

function aReview(more: Partial<PlanReview> = {}): Promise<Signed<PlanReview>> {
  const { body } = aPress({ requestId: 'press:network', digest: 'a1', ...more });
  return testSignatures.enclose('decision/review', body);
}

function overriding(): Promise<Signed<PolicyOverride>> {
  return testSignatures.enclose('decision/override', anOverride({ requestId: 'override:network', digest: 'a1' }).body);
}

function inTheNameOf(by: string, { body, signature }: Signed<PlanReview>): Signed<PlanReview> {
  return { body: { ...body, by }, signature };
}

describe('a press that changes nothing is in the audit trail as refused, and nothing counts as forged', () => {
  const refuse = async (review: AnsweringPress, deployment: Deployment) =>
    recordRefusal(context, {
      repository: REPOSITORY,
      deployment,
      review,
      sentence: SENTENCE,
    });

  test.each<[string, () => Promise<AnsweringPress>, object]>([
    [
      'Confirm',
      () => aReview(),
      {
        action: 'confirm',
        initiatingUser: 'grace',
        id: 'press:network:REFUSED',
      },
    ],
    ['Reject', () => aReview({ answer: 'rejected' }), { action: 'reject', initiatingUser: 'grace' }],
    ['Override', overriding, { action: 'override', initiatingUser: 'olga', policies: ['cost'] }],
  ])('%s, while the apply runs that somebody confirmed before', async (_button, press, event) => {
    marker = { jobId: '1-apply-1' };

    // The deployment as its workflow was given it, long before its apply.
    await refuse(await press(), await asOrdered(REPOSITORY, deploymentAt(1)));

    expect(trail).toMatchObject([{ ...event, state: 'REFUSED', sentence: SENTENCE, deploymentId: '1' }]);
    expect(forged).toEqual([]);
  });

  test.each<[string, () => Promise<AnsweringPress>, Partial<Deployment>, string]>([
    ['that nobody signed', async () => ({ ...(await aReview()), signature: 'a..b' }), {}, 'decision/review'],
    ['in the name of somebody else', async () => inTheNameOf('officer', await aReview()), {}, 'decision/review'],
    ['of another deployment', () => aReview({ deploymentId: '2' }), {}, 'decision/review'],
    ['of a deployment that nobody ordered', () => aReview(), { requestedBy: 'officer' }, 'order/deploy'],
  ])('a press %s is not in the audit trail', async (_what, press, changed, kind) => {
    const deployment = {
      ...(await asOrdered(REPOSITORY, deploymentAt(1))),
      ...changed,
    };

    await expect(refuse(await press(), deployment)).rejects.toMatchObject({
      code: 'FORGED',
      kind,
    });

    expect(trail).toEqual([]);
    expect(forged).toEqual([kind]);
  });
});

describe('the end of an apply that never began is in the audit trail while the deployment goes on', () => {
  const review = { answer: 'approved', by: 'grace', at: AT } as const;
  const applying = () =>
    asOrdered(REPOSITORY, {
      ...deploymentAt(1),
      progress: {
        ...progressAs('applying'),
        plan: aPlan(),
        review,
        jobs: { apply: JOB },
      },
    });
  const record = async (deployment: Deployment) =>
    recordUnapplied(context, {
      repository: REPOSITORY,
      deployment,
      audits: [auditEvent(REPOSITORY, deployment, JOB, 'FAILURE')],
    });

  test.each([
    ['and no other has begun', undefined],
    ['also where the next job has begun meanwhile', { jobId: '1-apply-2' }],
  ])('an end is recorded with the plan and the person who confirmed it, %s', async (_when, known) => {
    marker = known;

    await record(await applying());

    const about = {
      approvedBy: 'grace',
      planDigest: aPlan().made.body.digest,
      endedAt: JOB.endedAt,
    };
    expect(trail).toMatchObject([{ id: '1-apply-1:FAILURE', state: 'FAILURE', ...about }]);
    expect(forged).toEqual([]);
  });

  test('but not of one that began', async () => {
    marker = { jobId: '1-apply-1' };

    await record(await applying());

    expect(trail).toEqual([]);
    expect(forged).toEqual(['result/outcome']);
  });

  test('but not with a person who signed nothing', async () => {
    const { progress, ...deployment } = await applying();
    const officer = { ...progress, review: { ...review, by: 'officer' } };

    await expect(record({ ...deployment, progress: officer })).rejects.toMatchObject({ code: 'FORGED' });

    expect(trail).toEqual([]);
  });
});
