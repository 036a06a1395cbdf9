/** Permission to apply a plan that several people have to confirm. */
import { describe, expect, test } from '@jest/globals';
import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES, type PlanReview } from '@nereid/domain/plan';
import type { Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { auditEvent, reviewAuditEvent } from '@nereid/domain/trail';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext, type World } from './testing/begin-context.ts';

const DIGEST = 'a1'.repeat(32);
const PLAN = { digest: DIGEST, hasChanges: true, summary: { ...NO_CHANGES, create: 1, resources: [], omitted: 0 } };
const EACH = { count: 2, eachOf: ['acme/sre', 'acme/dba'] };
const BOB = { by: 'bob', byId: 7, teams: ['acme/sre'] };
const CAROL = { by: 'carol', byId: 8, teams: ['acme/dba'] };

function anApproval(more: Partial<PlanReview> = {}): Promise<Signed<PlanReview>> {
  const about = { version: 1, requestId: `${more.by ?? 'bob'}:network`, deploymentId: '1', digest: DIGEST } as const;
  const at = new Date().toISOString();
  return testSignatures.enclose('decision/review', { ...about, answer: 'approved', ...BOB, at, ...more });
}

/** As of a person who pressed elsewhere than on the forge. */
async function withoutId(): Promise<Signed<PlanReview>> {
  const { byId: _unknown, ...body } = (await anApproval(BOB)).body;
  return testSignatures.enclose('decision/review', body);
}

const both = () => Promise.all([anApproval(BOB), anApproval(CAROL)]);

/** As a workflow asks for a plan with these approvals, of which the last is the review. */
async function aBeginning(
  approvals: readonly Signed<PlanReview>[],
  {
    root: more = { review: EACH },
    review = approvals.at(-1),
  }: { root?: Partial<Root>; review?: Signed<PlanReview> | undefined } = {},
): Promise<Beginning> {
  const ordered = deploymentAt(1, { root: { ...deploymentAt(1).root, planReview: 'required', ...more } });
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, ordered));
  const made = await testSignatures.enclose('result/plan', { version: 1, deploymentId: '1', order, ...PLAN });
  const progress = {
    status: 'awaiting-review',
    times: {},
    jobs: {},
    plan: { made, reviewRequired: true },
    approvals,
  } as const;
  const deployment: Deployment = { ...ordered, order, progress };
  const job = { id: jobIdOf('1', 'apply', 1), startedAt: '2026-01-31T14:00:00.000Z' };
  return { repository: REPOSITORY, deployment, ...(review && { review }), job, ...(await asClaimed('1')), audits: [] };
}

async function permission(beginning: Beginning, world: World = {}): Promise<unknown> {
  return begin(beginContext(world), beginning);
}

describe('permission to apply a plan that somebody of each team has to confirm', () => {
  test('is given for the signed answers of both, and names the last one', async () => {
    const [bob, carol] = await both();

    const go = await begin(beginContext(), await aBeginning([bob, carol]));

    expect(go.body).toMatchObject({ digest: DIGEST, review: carol.signature });
  });

  test('tells the audit trail of each answer, even where the workflow keeps one back', async () => {
    const told: object[] = [];
    const [bob, carol] = await both();
    const beginning = await aBeginning([bob, carol]);
    const { deployment, job } = beginning;
    const audits = [
      reviewAuditEvent(REPOSITORY, deployment, carol.body),
      auditEvent(REPOSITORY, deployment, job, 'RUNNING'),
    ];

    await permission({ ...beginning, audits }, { audit: async (event) => void told.push(event) });

    expect(told).toMatchObject([
      { state: 'REVIEWED', initiatingUser: 'carol' },
      { state: 'RUNNING', approvedBy: 'carol' },
      { state: 'REVIEWED', initiatingUser: 'bob' },
    ]);
  });

  test.each<[string, () => Promise<readonly Signed<PlanReview>[]>]>([
    ['of one person', async () => [await anApproval(BOB)]],
    ['of two people of one team', () => Promise.all([anApproval(BOB), anApproval({ by: 'dan', byId: 9 })])],
    ['of one person twice', () => Promise.all([anApproval(BOB), anApproval({ ...BOB, teams: ['acme/dba'] })])],
    ['of one person under two logins', () => Promise.all([anApproval(BOB), anApproval({ ...CAROL, byId: 7 })])],
    ['of which one has no id', () => Promise.all([anApproval(CAROL), withoutId()])],
    [
      'of one person in other letters',
      () => Promise.all([anApproval({ by: 'bob', teams: EACH.eachOf }), anApproval({ by: 'BOB', teams: EACH.eachOf })]),
    ],
    [
      'of which one is of another plan',
      () => Promise.all([anApproval(BOB), anApproval({ ...CAROL, digest: 'b2'.repeat(32) })]),
    ],
    [
      'of which one is of another deployment',
      () => Promise.all([anApproval(BOB), anApproval({ ...CAROL, deploymentId: '2' })]),
    ],
    ['of which one rejects', () => Promise.all([anApproval({ ...BOB, answer: 'rejected' }), anApproval(CAROL)])],
    [
      'of which nobody signed one',
      async () => [{ ...(await anApproval(BOB)), signature: 'a..b' }, await anApproval(CAROL)],
    ],
    [
      'of which one names another person',
      async () => {
        const { body, signature } = await anApproval(BOB);
        return [{ body: { ...body, by: 'officer', byId: 9 }, signature }, await anApproval(CAROL)];
      },
    ],
    [
      'of which one claims another team',
      async () => {
        const { body, signature } = await anApproval({ ...CAROL, teams: [] });
        return [await anApproval(BOB), { body: { ...body, teams: ['acme/dba'] }, signature }];
      },
    ],
  ])('is refused as forged for approvals %s', async (_what, approvalsOf) => {
    await expect(permission(await aBeginning(await approvalsOf()))).rejects.toMatchObject({
      code: 'FORGED',
      kind: 'decision/review',
    });
  });

  test('is refused as forged without the list of them', async () => {
    const [bob, carol] = await both();
    const { deployment, ...beginning } = await aBeginning([bob, carol]);
    const { approvals: _none, ...progress } = deployment.progress;

    await expect(permission({ ...beginning, deployment: { ...deployment, progress } })).rejects.toMatchObject({
      code: 'FORGED',
    });
  });

  test('is refused where one of them was given too long ago', async () => {
    const at = new Date(Date.now() - 26 * 3_600_000).toISOString();
    const approvals = await Promise.all([anApproval({ ...BOB, at }), anApproval(CAROL)]);
    const root = { review: { ...EACH, expiresMs: 3_600_000 } };

    await expect(permission(await aBeginning(approvals, { root }))).rejects.toMatchObject({ code: 'APPROVAL_EXPIRED' });
  });

  test('waits for a window that is closed, however long ago it was confirmed, and is planned again once that opens', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const at = daysAgo(16);
    const beginning = await aBeginning(await Promise.all([anApproval({ ...BOB, at }), anApproval({ ...CAROL, at })]));
    const freeze = (duration: string) =>
      `[{ name: Year end, kind: deny, dtstart: "${daysAgo(16).slice(0, 16)}", duration: ${duration}, timezone: UTC }]`;

    await expect(permission(beginning, { windows: freeze('17d') })).rejects.toMatchObject({
      code: 'GATE_CLOSED',
      wait: { gate: 'window' },
    });
    await expect(permission(beginning, { windows: freeze('15d') })).rejects.toMatchObject({ code: 'APPROVAL_EXPIRED' });
  });
});

describe("where the server's file has become stricter since the order", () => {
  const repositories = '[{ match: "acme/*", plan_review: required, review: { each_of: [acme/sre, acme/dba] } }]';

  test('one approval is not enough any more, and people are told to re-run', async () => {
    const { deployment, ...beginning } = await aBeginning([], { root: {}, review: await anApproval(BOB) });
    const { approvals: _none, ...progress } = deployment.progress;
    const asOrdered = { ...beginning, deployment: { ...deployment, progress } };

    await expect(permission(asOrdered)).resolves.toHaveProperty('signature');
    await expect(permission(asOrdered, { repositories })).rejects.toMatchObject({
      code: 'POLICY_CHANGED',
      message: expect.stringContaining('press Re-run'),
    });
  });

  test('approvals count that meet the file of today, too', async () => {
    const root = { review: { count: 2, eachOf: [] } };

    await expect(permission(await aBeginning(await both(), { root }), { repositories })).resolves.toHaveProperty(
      'signature',
    );
    const others = await Promise.all([anApproval(BOB), anApproval({ ...CAROL, teams: [] })]);
    await expect(permission(await aBeginning(others, { root }), { repositories })).rejects.toMatchObject({
      code: 'POLICY_CHANGED',
    });
  });
});
