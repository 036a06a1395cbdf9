import { describe, expect, test } from '@jest/globals';
import { orderBody } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type PolicyOverride, type PolicyResult } from '@nereid/domain/plan';
import type { AuditEvent } from '@nereid/domain/trail';
import { anOverride, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext } from './testing/begin-context.ts';
import type { Signed } from '@nereid/domain/signed';

const DIGEST = 'a1'.repeat(32);
const OTHER_DIGEST = 'b2'.repeat(32);
const JOB = { id: '1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' };
const SUMMARY = { ...NO_CHANGES, create: 1, resources: [], omitted: 0 };
const REQUIRED = '[{ name: cost, source: p, enforce: required, owners: { users: [olga] } }]';
const DENIED: PolicyResult = { name: 'cost', enforce: 'required', verdict: 'denied', denials: ['no'], warnings: [] };

interface Made {
  readonly policies?: readonly PolicyResult[];
  readonly hasChanges?: boolean;
  readonly overrides?: readonly Signed<PolicyOverride>[];
  /** What the plan says after its host signed it. */
  readonly forged?: readonly PolicyResult[];
}

/** Of a root that asks for no review, as its workflow asks for permission. */
async function aBeginning({ policies, hasChanges = true, overrides, forged }: Made): Promise<Beginning> {
  const base = { ...deploymentAt(1), root: { ...deploymentAt(1).root, planReview: 'auto' } } as const;
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, base));
  const made = { digest: DIGEST, hasChanges, summary: SUMMARY, ...(policies && { policies }) };
  const signed = await testSignatures.enclose('result/plan', { version: 1, deploymentId: base.id, order, ...made });
  const body = { ...signed.body, ...(forged && { policies: forged }) };
  const plan = { made: { ...signed, body }, reviewRequired: false };
  const progress = { status: 'awaiting-review', times: {}, jobs: {}, plan, ...(overrides && { overrides }) } as const;
  return {
    repository: REPOSITORY,
    deployment: { ...base, order, progress },
    job: JOB,
    ...(await asClaimed(base.id)),
    audits: [],
  };
}

async function overriding(more: Partial<PolicyOverride> = {}): Promise<Signed<PolicyOverride>> {
  const { id: deploymentId } = deploymentAt(1);
  const { body } = anOverride({ deploymentId, digest: DIGEST, at: '2026-01-31T15:00:00.000Z', ...more });
  return testSignatures.enclose('decision/override', body);
}

describe("permission to apply, where the server's file requires a policy", () => {
  const asks = async (made: Made, policies = REQUIRED) => begin(beginContext({ policies }), await aBeginning(made));

  test.each([
    ['that passed', { policies: [{ ...DENIED, verdict: 'passed' as const }] }],
    ['that denied a plan without changes', { policies: [DENIED], hasChanges: false }],
  ])('is given for a plan %s', async (_what, made) => {
    await expect(asks(made)).resolves.toHaveProperty('signature');
  });

  test('is given for a plan that it denied once an owner has overridden that, and the audit trail hears of it', async () => {
    const told: AuditEvent[] = [];
    const audit = async (event: object) => void told.push(event as AuditEvent); // Nothing else is sent there.
    const beginning = await aBeginning({ policies: [DENIED], overrides: [await overriding()] });

    await begin(beginContext({ policies: REQUIRED, audit }), beginning);

    expect(told).toMatchObject([
      { state: 'REVIEWED', action: 'override', initiatingUser: 'olga', policies: ['cost'] },
      { state: 'RUNNING' },
    ]);
  });

  test.each([
    ['denied', 'no owner of it has overridden that: press Re-run', { policies: [DENIED] }],
    ['could not evaluate', 'press Re-run', { policies: [{ ...DENIED, verdict: 'error' as const }] }],
    ['denied when it was advice', 'press Re-run', { policies: [{ ...DENIED, enforce: 'advisory' as const }] }],
    ['has not judged, because it is new', 'has the policy cost for network', {}],
    ['has not judged, but others have', 'has the policy cost for', { policies: [{ ...DENIED, name: 'tags' }] }],
  ])('is refused for a plan that it %s', async (_what, why, made) => {
    await expect(asks(made)).rejects.toMatchObject({ code: 'POLICY_CHANGED', message: expect.stringContaining(why) });
  });

  test('is given where the policy is for other directories', async () => {
    const elsewhere = REQUIRED.replace('source: p', 'source: p, roots: [other/**]');

    await expect(asks({}, elsewhere)).resolves.toHaveProperty('signature');
  });

  test('is refused where nobody signed what the plan says of its policies', async () => {
    const forged = [{ ...DENIED, verdict: 'passed' as const }];

    await expect(asks({ policies: [DENIED], forged })).rejects.toMatchObject({ code: 'FORGED', kind: 'result/plan' });
  });

  test.each<[string, (genuine: Signed<PolicyOverride>) => Signed<PolicyOverride>]>([
    ['that nobody signed', ({ body }) => ({ body, signature: 'made up' })],
    ['in the name of somebody else', ({ body, signature }) => ({ body: { ...body, by: 'officer' }, signature })],
    [
      'of more policies than were signed',
      ({ body, signature }) => ({ body: { ...body, policies: ['cost', 'tags'] }, signature }),
    ],
  ])('is refused with an override %s', async (_what, change) => {
    const override = change(await overriding());

    await expect(asks({ policies: [DENIED], overrides: [override] })).rejects.toMatchObject({ code: 'FORGED' });
  });

  test.each([
    ['plan', { digest: OTHER_DIGEST }],
    ['deployment', { deploymentId: 'another' }],
  ])('is refused with an override of another %s', async (_what, more) => {
    const overrides = [await overriding(more)];

    await expect(asks({ policies: [DENIED], overrides })).rejects.toMatchObject({
      code: 'FORGED',
      kind: 'decision/override',
    });
  });

  test('is refused with an override of another policy', async () => {
    const overrides = [await overriding({ policies: ['tags'] })];

    await expect(asks({ policies: [DENIED], overrides })).rejects.toMatchObject({ code: 'POLICY_CHANGED' });
  });
});

describe('permission to apply a plan without changes', () => {
  const asks = async (settings: string, hasChanges = false) =>
    begin(
      beginContext({ repositories: `[{ match: "*/*", plan_review: auto, ${settings} }]` }),
      await aBeginning({ hasChanges }),
    );

  test('is permission to run nothing where the apply has an identity of its own: nobody confirmed it', async () => {
    const go = await asks('identity: { audience: nereid }');

    const { id: deploymentId, order = '' } = (await aBeginning({ hasChanges: false })).deployment;
    const { body } = await testSignatures.open('go/apply', go, { deploymentId, order });
    expect(body).toMatchObject({ jobId: '1-apply-1', digest: DIGEST, hostId: 'h1', isEmpty: true });
  });

  test('is permission as any other where both are the same, or where there are changes', async () => {
    expect((await asks('queue: every')).body).not.toHaveProperty('isEmpty');
    expect((await asks('identity: { audience: nereid }', true)).body).not.toHaveProperty('isEmpty');
  });
});
