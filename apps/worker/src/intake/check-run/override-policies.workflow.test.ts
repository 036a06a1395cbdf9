import { afterEach, describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import type { PolicyOverride, PolicyResult } from '@nereid/domain/plan';
import { aDeployment, aPlan, withMade } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND } from '../testing/staged-repository.ts';
import type { Signed } from '@nereid/domain/signed';

const DENIAL: PolicyResult = { name: 'cost', enforce: 'required', verdict: 'denied', denials: ['no'], warnings: [] };

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** A plan that waits for an owner of the policies that deny it. */
async function aDenied(policies: readonly PolicyResult[] = [DENIAL], more: Partial<Progress> = {}) {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const deployment = await stage.deployment();
  const plan = aPlan({ policies });
  const waiting = aDeployment({ status: 'awaiting-review', plan, ...more });
  const revision = { ...waiting.revision, sha: await infra.head() };
  const root = { ...waiting.root, name: 'network', dir: 'network' };
  const checkRun = await infra.review({ ...waiting, id: deployment.id, root, revision });
  return { infra, deployment, checkRun, digest: plan.made.body.digest };
}

describe('an override', () => {
  test('reaches its deployment, signed, with the whole digest of the plan and the policies of that owner', async () => {
    const { infra, deployment, checkRun, digest } = await aDenied([DENIAL, { ...DENIAL, name: 'tags' }]);

    const result = await stage.deliver(infra.presses(checkRun, 'override', 'wim'), { delivery: 'delivery-1' });

    expect(result).toMatchObject({ kind: 'signalled', workflows: [deployment.id] });
    const about = {
      requestId: 'delivery-1:network',
      deploymentId: deployment.id,
      digest,
      policies: ['cost'],
      by: 'wim',
    };
    const signals = await deployment.signals();
    expect(signals).toMatchObject([['policy-override', { body: about }]]);
    const override = signals[0]?.[1] as Signed<PolicyOverride>; // What was sent.
    await testSignatures.open('decision/override', override, { deploymentId: deployment.id });
  });

  test.each([
    ['somebody who owns another policy only', 'ada', 'cost takes a member of acme/finance, or wim'],
    ['somebody without write permission', 'rea', 'it takes write permission'],
  ])('an override of %s is refused on the check run and noted for the audit trail', async (_who, by, why) => {
    const { infra, deployment, checkRun } = await aDenied();

    const result = await stage.deliver(infra.presses(checkRun, 'override', by));

    expect(result).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining(why),
      userActions: [
        { body: { action: { action: 'override', refusal: expect.stringContaining(`@${by} pressed Override`) } } },
      ],
    });
    expect(infra.shown(checkRun)?.output.summary).toContain(`@${by} pressed Override`);
    expect(await deployment.signals()).toEqual([]);
  });

  test('is refused while GitHub cannot be asked', async () => {
    const { infra, deployment, checkRun } = await aDenied();
    stage.standIn.faults.add({ kind: 'refusal', status: 403, route: /permission$/ });

    const result = await stage.deliver(infra.presses(checkRun, 'override', 'wim'));

    expect(result.kind).toBe('refused');
    expect(await deployment.signals()).toEqual([]);
  });

  test.each([
    ['of a plan that no policy denies', { ...DENIAL, verdict: 'passed' as const }, {}, 'no policy denies this plan'],
    ['of a plan that is applied', DENIAL, { status: 'applying' as const }, 'is no longer waiting'],
    [
      "of a policy that is not in the server's file",
      { ...DENIAL, name: 'old' },
      {},
      'no longer judges plans of this root',
    ],
  ])('an override %s is refused', async (_what, policy, more, why) => {
    const { infra, deployment, checkRun } = await aDenied([policy], more);

    const result = await stage.deliver(infra.presses(checkRun, 'override', 'wim'));

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining(why) });
    expect(await deployment.signals()).toEqual([]);
  });

  test('of another plan is refused', async () => {
    const { infra, checkRun } = await aDenied();
    const button = { kind: 'override', mark: 'b'.repeat(11) } as const;

    const result = await stage.deliver({ ...infra.presses(checkRun, 'override', 'wim'), button });

    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('another plan') });
  });

  test('is not taken where no host signed what the plan says of its policies', async () => {
    const { infra, deployment, checkRun } = await aDenied([{ ...DENIAL, name: 'tags' }]);
    await infra.lane('network').forge((record) => {
      const { running } = record;
      const plan = running?.progress.plan;
      if (running === undefined || plan === undefined) throw new Error('expected a running deployment with a plan');
      const progress = { ...running.progress, plan: withMade(plan, { policies: [DENIAL] }) };
      return { ...record, running: { ...running, progress } };
    });

    await stage.deliver(infra.presses(checkRun, 'override', 'wim')).catch(() => undefined);

    expect(await deployment.signals()).toEqual([]);
  });
});
