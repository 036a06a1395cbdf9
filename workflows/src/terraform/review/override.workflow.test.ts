import { describe, expect, test } from '@jest/globals';
import { aDenial, aRoot, DIGEST, OTHER_DIGEST, planned } from '@nereid/domain/deployment-testing';
import { eventually, stageOfThisFile, type Played } from '../fixtures/stage.ts';

const stage = stageOfThisFile();
const AUTO = { root: aRoot({ planReview: 'auto' }) };
const denied = { plan: async () => planned({ policies: [aDenial()] }) };

describe('a plan that a required policy denies', () => {
  test('waits for an owner where its root asks for no review, and is then applied', async () => {
    const deployment = await stage.start(denied, AUTO);
    await deployment.shows('awaiting-review');
    await deployment.record('denied-by-policy');

    await deployment.override();

    expect(await deployment.result()).toMatchObject({
      status: 'succeeded',
      overrides: [{ body: { by: 'olga', policies: ['cost'], digest: DIGEST } }],
    });
    expect(deployment.asked.userActions).toMatchObject([
      { action: 'override', state: 'REVIEWED', initiatingUser: 'olga', policies: ['cost'] },
    ]);
    expect(deployment.asked.beginnings).toHaveLength(1);
    await deployment.record('policy-overridden');
  });

  test('waits for its review after that where its root asks for one', async () => {
    const deployment = await stage.start(denied);
    await deployment.reached('awaiting-review');

    await deployment.review();
    expect(await notice(deployment)).toContain('@grace pressed Confirm: the policy cost denies this plan');
    await deployment.override();
    await overridden(deployment, 1);
    expect(deployment.asked.beginnings).toEqual([]);
    await deployment.review();

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', review: { by: 'grace' } });
  });

  test('can be rejected, and nothing is applied', async () => {
    const deployment = await stage.start(denied, AUTO);
    await deployment.reached('awaiting-review');

    await deployment.review({ answer: 'rejected' });

    expect(await deployment.result()).toMatchObject({ status: 'rejected', review: { by: 'grace' } });
    expect(deployment.asked.beginnings).toEqual([]);
  });

  test('takes an owner of each of its policies', async () => {
    const policies = [
      aDenial(),
      aDenial({ name: 'tags', verdict: 'error' }),
      aDenial({ name: 'advice', enforce: 'advisory' }),
    ];
    const deployment = await stage.start({ plan: async () => planned({ policies }) }, AUTO);
    await deployment.reached('awaiting-review');

    await deployment.override({ policies: ['cost'] });
    await overridden(deployment, 1);
    expect((await deployment.progress()).status).toBe('awaiting-review');
    await deployment.override({ policies: ['tags'], by: 'tom' });

    expect(await deployment.result()).toMatchObject({
      status: 'succeeded',
      overrides: [{ body: { by: 'olga' } }, { body: { by: 'tom' } }],
    });
  });

  test('ends when nobody answers in time', async () => {
    const deployment = await stage.start(denied, { ...AUTO, durations: { reviewMs: 50 } });

    expect(await deployment.result()).toMatchObject({ status: 'expired' });
    expect(deployment.asked.beginnings).toEqual([]);
  });
});

describe('an override that does not count changes nothing', () => {
  test('for another plan', async () => {
    const deployment = await stage.start(denied, AUTO);
    await deployment.reached('awaiting-review');

    await deployment.override({ digest: OTHER_DIGEST });

    expect(await notice(deployment)).toContain('@olga pressed Override: that was for another plan');
    await deployment.until('its refusal in the audit trail', ({ userActions }) =>
      userActions.some(({ action, state }) => action === 'override' && state === 'REFUSED'),
    );
    expect(await deployment.progress()).not.toHaveProperty('overrides');
    await ended(deployment);
  });

  test('that intake did not sign: nobody is told', async () => {
    const deployment = await stage.start(denied, AUTO);
    await deployment.reached('awaiting-review');

    await deployment.override({ by: 'officer', requestId: 'press' }, 'made up');
    await deployment.override({ requestId: 'press' });

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', overrides: [{ body: { by: 'olga' } }] });
    expect(deployment.asked.shown.every(({ notice: shown }) => shown === undefined)).toBe(true);
  });

  test('of policies that deny nothing', async () => {
    const deployment = await stage.start(denied, AUTO);
    await deployment.reached('awaiting-review');

    await deployment.override({ policies: ['other'] });

    expect(await notice(deployment)).toContain('somebody has overridden that already');
    await ended(deployment);
  });
});

describe('policies hold up nothing', () => {
  test.each([
    ['of a plan without changes', planned({ hasChanges: false, policies: [aDenial()] })],
    ['that are advice', planned({ policies: [aDenial({ enforce: 'advisory' })] })],
    ['that pass', planned({ policies: [aDenial({ verdict: 'passed', denials: [] })] })],
  ])('policies hold up nothing: %s', async (_what, plan) => {
    const deployment = await stage.start({ plan: async () => plan }, AUTO);

    expect((await deployment.result()).status).toMatch(/^(succeeded|no-changes)$/);
    expect(deployment.asked.beginnings).toHaveLength(1);
  });
});

test('a plan that is made again takes overrides of its own', async () => {
  const plans = [planned({ policies: [aDenial()] }), planned({ digest: OTHER_DIGEST, policies: [aDenial()] })];
  const counts = { added: 1, changed: 0, destroyed: 0, imported: 0 };
  const deployment = await stage.start(
    {
      plan: async (_host, attempt) => plans[attempt] ?? planned(),
      apply: async (_host, attempt) =>
        attempt === 0 ? { kind: 'plan-unusable', why: 'the state has changed' } : { kind: 'applied', counts },
    },
    AUTO,
  );
  await deployment.reached('awaiting-review');
  await deployment.override();
  await deployment.until('a second plan', ({ calls }) => calls.filter((call) => call.startsWith('plan ')).length === 2);
  expect(await deployment.reached('awaiting-review')).not.toHaveProperty('overrides');

  await deployment.override({ digest: OTHER_DIGEST });

  expect(await deployment.result()).toMatchObject({
    status: 'succeeded',
    overrides: [{ body: { digest: OTHER_DIGEST } }],
  });
});

async function notice(deployment: Played): Promise<string> {
  await deployment.until('a notice', ({ shown }) => shown.some((one) => one.notice !== undefined));
  return deployment.asked.shown.findLast((one) => one.notice !== undefined)?.notice ?? '';
}

async function overridden(deployment: Played, count: number): Promise<void> {
  await eventually(async () => {
    const { overrides = [] } = await deployment.progress();
    return overrides.length === count ? 'so' : new Error(`expected ${count} overrides, found ${overrides.length}`);
  });
}

async function ended(deployment: Played): Promise<void> {
  await deployment.handle.cancel();
  await deployment.result();
}
