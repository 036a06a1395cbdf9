import { describe, expect, test } from '@jest/globals';
import { orderBody } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type MadePlan } from '@nereid/domain/plan';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext } from './testing/begin-context.ts';

const HOUR_MS = 3_600_000;
const LIMITED = '[{ match: "*/*", plan_review: auto, max_plan_age: 24h, roots: { "**": { max_plan_age: 2h } } }]';

const JOB = { id: '1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' };

/** `said`: what the workflow says instead of what the host signed. */
async function aBeginning(made: Partial<MadePlan>, said: Partial<MadePlan> = {}): Promise<Beginning> {
  const base = { ...deploymentAt(1), root: { ...deploymentAt(1).root, planReview: 'auto' } } as const;
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, base));
  const summary = { ...NO_CHANGES, create: 1, resources: [], omitted: 0 };
  const body = {
    version: 1,
    deploymentId: base.id,
    order,
    digest: 'a1'.repeat(32),
    hasChanges: true,
    summary,
  } as const;
  const signed = await testSignatures.enclose('result/plan', { ...body, ...made });
  const plan = { made: { ...signed, body: { ...signed.body, ...said } }, reviewRequired: false };
  const progress = { status: 'planning', times: {}, jobs: {}, plan } as const;
  const claimed = await asClaimed(base.id);
  return { repository: REPOSITORY, deployment: { ...base, order, progress }, job: JOB, ...claimed, audits: [] };
}

const hoursAgo = (hours: number) => ({ plannedAt: new Date(Date.now() - hours * HOUR_MS).toISOString() });

describe("permission to apply, where the server's file limits the age of plans", () => {
  const asks = async (...made: Parameters<typeof aBeginning>) =>
    begin(beginContext({ repositories: LIMITED }), await aBeginning(...made));

  test('is given for a plan that is young enough, and for one without changes', async () => {
    await expect(asks(hoursAgo(1))).resolves.toHaveProperty('signature');
    await expect(asks({ ...hoursAgo(100), hasChanges: false })).resolves.toHaveProperty('signature');
  });

  test.each([
    ['older than the shortest limit', hoursAgo(3)],
    ['that says no time', {}],
  ])('is refused for a plan %s', async (_what, made) => {
    await expect(asks(made)).rejects.toMatchObject({ code: 'PLAN_TOO_OLD', message: 'the plan is older than 2h' });
  });

  test('does not believe a time that its host has not signed', async () => {
    await expect(asks(hoursAgo(3), hoursAgo(1))).rejects.toMatchObject({ code: 'FORGED', kind: 'result/plan' });
  });
});
