import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES, type MadePlan, type PlanReview } from '@nereid/domain/plan';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { auditEvent, reviewAuditEvent } from '@nereid/domain/trail';
import { describe, expect, test } from '@jest/globals';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext, type World } from './testing/begin-context.ts';
import type { Signed } from '@nereid/domain/signed';

const DIGEST = 'a1'.repeat(32);
const OTHER_DIGEST = 'b2'.repeat(32);
const JOB = { id: '1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' };
const SUMMARY = { ...NO_CHANGES, create: 1, resources: [], omitted: 0 };

interface Made {
  /** Changes what was signed, afterwards. */
  readonly changed?: Partial<Deployment>;
  readonly ordered?: Partial<Deployment>;
  readonly plan?: Partial<Signed<Partial<MadePlan>>>;
}

/** A deployment whose plan was made by a host, as its workflow sends it. */
async function aDeployment({ changed, ordered, plan = {} }: Made = {}): Promise<Deployment> {
  const base = { ...deploymentAt(1), root: { ...deploymentAt(1).root, planReview: 'required' }, ...ordered } as const;
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, base));
  const made = { digest: DIGEST, hasChanges: true, summary: SUMMARY };
  const signed = await testSignatures.enclose('result/plan', { version: 1, deploymentId: base.id, order, ...made });
  const said = { ...signed, ...plan, body: { ...signed.body, ...plan.body } };
  const shown = { made: said, reviewRequired: true };
  return { ...base, order, progress: { status: 'awaiting-review', times: {}, jobs: {}, plan: shown }, ...changed };
}

async function aReview(deploymentId: string, more: Partial<PlanReview> = {}): Promise<Signed<PlanReview>> {
  const at = new Date().toISOString();
  const review = {
    version: 1,
    requestId: 'r1',
    deploymentId,
    answer: 'approved',
    digest: DIGEST,
    by: 'grace',
    at,
    ...more,
  } as const;
  return testSignatures.enclose('decision/review', review);
}

async function aBeginning(more: Partial<Beginning> = {}): Promise<Beginning> {
  const deployment = more.deployment ?? (await aDeployment());
  const review = await aReview(deployment.id);
  return {
    repository: REPOSITORY,
    deployment,
    review,
    job: { ...JOB, id: jobIdOf(deployment.id, 'apply', 1) },
    ...(await asClaimed(deployment.id)),
    audits: [],
    ...more,
  };
}

describe('permission to apply', () => {
  test('is given for the plan of an order that a person approved, to one host: 60 s to begin, 10 minutes for its identity', async () => {
    const beginning = await aBeginning();

    const go = await begin(beginContext(), beginning);

    const { deployment, review } = beginning;
    const about = { deploymentId: deployment.id, order: deployment.order ?? '' };
    const { body } = await testSignatures.open('go/apply', go, about);
    expect(body).toMatchObject({ jobId: '1-apply-1', digest: DIGEST, hostId: 'h1', review: review?.signature });
    expect(Date.parse(body.acceptBy) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(Date.parse(body.beginBy) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
  });

  test('takes no review where the root asks for none', async () => {
    const deployment = await aDeployment({ ordered: { root: { ...deploymentAt(1).root, planReview: 'auto' } } });

    await expect(begin(beginContext(), await without(deployment))).resolves.toHaveProperty('signature');
  });

  test('names nobody as the reviewer of a plan that takes no review', async () => {
    const told: object[] = [];
    const { body } = await aReview('1', { by: 'officer' });
    const review = { answer: 'approved', by: 'officer', at: body.at, press: { body, signature: 'a..b' } } as const;
    const ordered = await aDeployment({ ordered: { root: { ...deploymentAt(1).root, planReview: 'auto' } } });
    const deployment = { ...ordered, progress: { ...ordered.progress, review } };
    const beginning = await without(deployment);
    const audits = [
      reviewAuditEvent(REPOSITORY, deployment, body),
      auditEvent(REPOSITORY, deployment, beginning.job, 'RUNNING'),
    ];

    await begin(beginContext({ audit: async (event) => void told.push(event) }), { ...beginning, audits });

    expect(told).toMatchObject([{ state: 'RUNNING' }]);
    expect(JSON.stringify(told)).not.toContain('officer');
  });

  test('is given after history was rewritten only for a plan that a person approved', async () => {
    const before = { version: 1, repository: REPOSITORY, rootName: 'network', applied: deploymentAt(9) } as const;
    const turn: World['turn'] = async (_repository, _rootName, change) => {
      await change(before);
    };
    const rewritten = beginContext({ turn, isAhead: false });
    const unreviewed = await aDeployment({ ordered: { root: { ...deploymentAt(1).root, planReview: 'auto' } } });

    await expect(begin(rewritten, await aBeginning())).resolves.toHaveProperty('signature');
    await expect(begin(rewritten, await without(unreviewed))).rejects.toMatchObject({ code: 'OUTDATED' });
  });

  test('waits for the audit trail', async () => {
    const audit = () => Promise.reject(new Error('the topic is away'));
    const event = { id: '1-apply-1:RUNNING' } as Beginning['audits'][number];

    await expect(begin(beginContext({ audit }), await aBeginning({ audits: [event] }))).rejects.toThrow(
      'the topic is away',
    );
  });

  test('waits for its turn in the lane, and until then the audit trail hears of no start', async () => {
    const told: object[] = [];
    const audit = async (event: object) => void told.push(event);
    const turn = () => Promise.reject(new Error('another apply has not ended'));

    await expect(begin(beginContext({ turn, audit }), await aBeginning())).rejects.toThrow(
      'another apply has not ended',
    );
    expect(told).toEqual([]);
  });

  test.each<[string, World]>([
    ['order', { hasEnded: true }],
    ['review', { repositories: '[{ match: "other/*" }]' }],
  ])('takes no turn from another deployment while another gate is closed: %s', async (_gate, closed) => {
    const taken: string[] = [];
    const turn: World['turn'] = async (_repository, rootName) => void taken.push(rootName);

    await expect(begin(beginContext({ turn, ...closed }), await aBeginning())).rejects.toThrow();
    expect(taken).toEqual([]);
  });

  test.each([
    ['asks for a review by now', '[{ match: "acme/*", plan_review: required }]', 'press Re-run'],
    [
      'asks for one in its directory',
      '[{ match: "acme/*", plan_review: auto, roots: { "**": { plan_review: required } } }]',
      'press Re-run',
    ],
    ['does not allow the repository', '[{ match: "other/*" }]', 'does not allow acme/infra'],
  ])("is refused when the server's file %s", async (_what, repositories, why) => {
    const deployment = await aDeployment({ ordered: { root: { ...deploymentAt(1).root, planReview: 'auto' } } });
    const refused = { code: 'POLICY_CHANGED', message: expect.stringContaining(why) };

    await expect(begin(beginContext({ repositories }), await without(deployment))).rejects.toMatchObject(refused);
  });

  test('is given where the repository may set its review by itself', async () => {
    const repositories = '[{ match: "acme/*", plan_review: required, allowed_overrides: [plan_review] }]';
    const deployment = await aDeployment({ ordered: { root: { ...deploymentAt(1).root, planReview: 'auto' } } });

    await expect(begin(beginContext({ repositories }), await without(deployment))).resolves.toHaveProperty('signature');
  });

  test('is refused once the order has ended', async () => {
    const deployment = await aDeployment({ ordered: { expiresAt: new Date(Date.now() - 1).toISOString() } });

    await expect(begin(beginContext(), await aBeginning({ deployment }))).rejects.toMatchObject({
      code: 'ORDER_EXPIRED',
    });
  });

  test('is refused when storage says that the deployment has ended', async () => {
    const beginning = await aBeginning();

    await expect(begin(beginContext({ hasEnded: true }), beginning)).rejects.toMatchObject({
      code: 'DEPLOYMENT_ENDED',
    });
  });
});

describe('an approval', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const asIf = async (ageMs: number) => {
    const at = new Date(Date.now() - ageMs).toISOString();
    return begin(beginContext(), await aBeginning({ review: await aReview(deploymentAt(1).id, { at }) }));
  };

  test('of the week for which a plan waits still counts a day later', async () => {
    await expect(asIf(7.9 * DAY_MS)).resolves.toHaveProperty('signature');
  });

  test('that somebody has kept back for longer counts no more', async () => {
    const expired = {
      code: 'APPROVAL_EXPIRED',
      message: expect.stringMatching(/^the plan was confirmed more than 192 hours ago, at 20/),
    };

    await expect(asIf(8.1 * DAY_MS)).rejects.toMatchObject(expired);
  });
});

describe('permission to apply is refused as forged', () => {
  const { root, revision } = deploymentAt(1);

  test.each<[string, Partial<Deployment>]>([
    ['without an order', { order: '' }],
    ['for other steps', { root: { ...root, steps: { plan: [], apply: [{ kind: 'run', run: 'echo' }] } } }],
    ['for another revision', { revision: { ...revision, sha: 'f'.repeat(40) } }],
    ['for a root that wants no review any more', { root: { ...root, planReview: 'auto' } }],
    ['in the name of somebody else', { requestedBy: 'mallory' }],
    ['for another deployment', { id: 'd2' }],
  ])('permission to apply %s is refused as forged', async (_what, changed) => {
    const beginning = await aBeginning({ deployment: await aDeployment({ changed }) });

    await expect(begin(beginContext(), beginning)).rejects.toMatchObject({ code: 'FORGED', kind: 'order/deploy' });
  });

  test('for another repository', async () => {
    const beginning = await aBeginning({ repository: { ...REPOSITORY, name: 'other' } });

    await expect(begin(beginContext(), beginning)).rejects.toMatchObject({ code: 'FORGED', kind: 'order/deploy' });
  });

  test.each<[string, NonNullable<Made['plan']>]>([
    ['that no host signed', { signature: '' }],
    ['of another file', { body: { digest: OTHER_DIGEST } }],
    ['that is said to change nothing', { body: { hasChanges: false } }],
    ['whose summary was made harmless', { body: { summary: { ...SUMMARY, create: 0 } } }],
  ])('for a plan %s', async (_what, plan) => {
    const beginning = await aBeginning({ deployment: await aDeployment({ plan }) });

    await expect(begin(beginContext(), beginning)).rejects.toMatchObject({ code: 'FORGED', kind: 'result/plan' });
  });

  test('for the plan of an earlier order', async () => {
    const [earlier, now] = [await aDeployment(), await aDeployment({ ordered: { id: 'd2' } })];
    const deployment = { ...now, progress: earlier.progress };

    await expect(begin(beginContext(), await aBeginning({ deployment }))).rejects.toMatchObject({
      kind: 'result/plan',
    });
  });

  test.each<[string, Partial<Beginning>]>([
    ['that no host signed', { claim: { body: { version: 1, deploymentId: '1', hostId: 'h1' }, signature: '' } }],
    ['of a host of somebody else', { hostId: 'theirs' }],
  ])('for a claim %s', async (_what, more) => {
    await expect(begin(beginContext(), await aBeginning(more))).rejects.toMatchObject({
      code: 'FORGED',
      kind: 'claim/host',
    });
  });

  test.each([
    ['a made-up one', 'repo'],
    ['one of another deployment', '2-apply-1'],
    ['one of its plans', '1-plan-1'],
    ['one with a number that nobody counts', '1-apply-01'],
    ['one beyond all numbers', '1-apply-1000'],
  ])('for a job that is %s', async (_what, id) => {
    const job = { ...JOB, id };

    await expect(begin(beginContext(), await aBeginning({ job }))).rejects.toMatchObject({
      code: 'FORGED',
      kind: 'go/apply',
    });
  });

  test('for a claim of another deployment', async () => {
    const { claim } = await asClaimed('d9');

    await expect(begin(beginContext(), await aBeginning({ claim }))).rejects.toMatchObject({ kind: 'claim/host' });
  });

  test('without the review that it takes', async () => {
    await expect(begin(beginContext(), await without(await aDeployment()))).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });

  test('without a review of what was asked for by hand, although its root says auto', async () => {
    const ordered = { root: { ...root, planReview: 'auto' }, trigger: 'manual', rerun: false } as const;

    await expect(begin(beginContext(), await without(await aDeployment({ ordered })))).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });

  test.each<[string, Partial<PlanReview>]>([
    ['of another deployment', { deploymentId: 'd9' }],
    ['of another plan', { digest: OTHER_DIGEST }],
    ['of a plan whose digest begins alike', { digest: DIGEST.slice(0, 12) }],
    ['of any plan', { digest: '' }],
    ['that rejects it', { answer: 'rejected' }],
  ])('with a review %s', async (_what, more) => {
    const review = await aReview(deploymentAt(1).id, more);

    await expect(begin(beginContext(), await aBeginning({ review }))).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });

  test('with a review that names somebody else than the person who gave it', async () => {
    const { body, signature } = await aReview(deploymentAt(1).id);
    const review = { body: { ...body, by: 'officer' }, signature };

    await expect(begin(beginContext(), await aBeginning({ review }))).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });
});

async function without(deployment: Deployment): Promise<Beginning> {
  const { review: _none, ...beginning } = await aBeginning({ deployment });
  return beginning;
}
