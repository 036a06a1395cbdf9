/** Permission to apply a plan that a rule of the server's file confirms. */
import { describe, expect, test } from '@jest/globals';
import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES, type MadePlan } from '@nereid/domain/plan';
import type { AutoRule } from '@nereid/domain/root';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext, type World } from './testing/begin-context.ts';

const DNS: AutoRule = { of: 'acme/*', no: ['destroy'], onlyTypes: ['aws_route53_*'], digest: 'of the rule' };
const REQUIRED = 'match: "acme/*", plan_review: required';
const TODAY = `[{ ${REQUIRED}, auto_when: { only_types: ["aws_route53_*"] } }]`;

const SUMMARY = {
  ...{ ...NO_CHANGES, update: 1, omitted: 0 },
  resources: [{ address: 'aws_route53_record.www', action: 'update' }],
} as const;

interface Made {
  readonly plan?: Partial<MadePlan>;
  readonly ordered?: Partial<Deployment>;
  /** Changes what was signed, afterwards. */
  readonly changed?: Partial<Deployment>;
  readonly said?: Partial<MadePlan>;
}

/** As a workflow asks, without a review. */
async function aBeginning({ plan = {}, ordered = {}, changed = {}, said = {} }: Made = {}): Promise<Beginning> {
  const root = { ...deploymentAt(1).root, planReview: 'required', autoWhen: [DNS] } as const;
  const base = { ...deploymentAt(1, { root, trigger: 'merge' }), ...ordered };
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, base));
  const body = { digest: 'a1'.repeat(32), hasChanges: true, summary: SUMMARY, types: ['aws_route53_record'], ...plan };
  const signed = await testSignatures.enclose('result/plan', { version: 1, deploymentId: '1', order, ...body });
  const made = { ...signed, body: { ...signed.body, ...said } };
  const progress = { status: 'planning', times: {}, jobs: {}, plan: { made, reviewRequired: false } } as const;
  const deployment = { ...base, order, progress, ...changed };
  const job = { id: jobIdOf('1', 'apply', 1), startedAt: '2026-01-31T14:00:00.000Z' };
  return { repository: REPOSITORY, deployment, job, ...(await asClaimed('1')), audits: [] };
}

async function permission(made: Made = {}, world: World = { repositories: TODAY }): Promise<unknown> {
  return begin(beginContext(world), await aBeginning(made));
}

test('is given without a person, and the audit trail has the rule and its digest', async () => {
  const told: object[] = [];

  await expect(
    permission({}, { repositories: TODAY, audit: async (event) => void told.push(event) }),
  ).resolves.toHaveProperty('signature');

  expect(told).toMatchObject([{ state: 'RUNNING', approvedByRules: [{ rule: 'acme/*', digest: 'of the rule' }] }]);
  expect(JSON.stringify(told)).not.toContain('"approvedBy"');
});

test('leaves the rule out for nobody who says that a person was asked', async () => {
  const told: object[] = [];
  const { deployment, ...beginning } = await aBeginning();
  const { plan, ...progress } = deployment.progress;
  const said = { ...deployment, progress: { ...progress, ...(plan && { plan: { ...plan, reviewRequired: true } }) } };

  await begin(beginContext({ repositories: TODAY, audit: async (event) => void told.push(event) }), {
    ...beginning,
    deployment: said,
  });

  expect(told).toMatchObject([{ approvedByRules: [{ rule: 'acme/*' }] }]);
});

describe('is refused without a review', () => {
  test.each<[string, Made]>([
    ['for a plan that the rule does not confirm', { plan: { types: ['aws_iam_role'] } }],
    ['for one that destroys something', { plan: { summary: { ...SUMMARY, delete: 1 } } }],
    ['for one that may be of another workspace than its people think', { plan: { doubt: 'default is empty' } }],
    [
      'for one of which the host does not know everything',
      { plan: { types: undefined } as unknown as Partial<MadePlan> },
    ],
    ['for a deployment by hand', { ordered: { trigger: 'manual', rerun: false } }],
  ])('%s', async (_what, made) => {
    await expect(permission(made)).rejects.toMatchObject({ code: 'FORGED', kind: 'decision/review' });
  });

  test.each<[string, Made, string]>([
    [
      'for a plan that is said to change other types',
      { plan: { types: ['aws_iam_role'] }, said: { types: ['aws_route53_record'] } },
      'result/plan',
    ],
    [
      'for a root that is said to have a rule',
      {
        ordered: { root: { ...deploymentAt(1).root, planReview: 'required' } },
        changed: { root: { ...deploymentAt(1).root, planReview: 'required', autoWhen: [DNS] } },
      },
      'order/deploy',
    ],
  ])('%s, as forged', async (_what, made, kind) => {
    await expect(permission(made)).rejects.toMatchObject({ code: 'FORGED', kind });
  });

  test.each([
    ['has no such rule any more', `[{ ${REQUIRED} }]`],
    ['has a stricter one', `[{ ${REQUIRED}, auto_when: { no: [change] } }]`],
    ['has a rule besides that grants nothing', `[{ ${REQUIRED}, auto_when: {}, roots: { "**": { queue: every } } }]`],
    ['asks for a colleague', `[{ ${REQUIRED}, auto_when: {}, permissions: { confirm: { not_author: true } } }]`],
  ])("where the server's file %s, with what to do", async (_what, repositories) => {
    await expect(permission({}, { repositories })).rejects.toMatchObject({
      code: 'POLICY_CHANGED',
      message: expect.stringContaining('press Re-run'),
    });
  });
});
