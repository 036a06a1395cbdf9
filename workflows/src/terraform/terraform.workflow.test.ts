import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot, aSummary, DIGEST, OTHER_DIGEST, planned } from '@nereid/domain/deployment-testing';
import { silence } from './fixtures/at-work.ts';
import { COUNTS, type Script } from './fixtures/fake-hosts.ts';
import { SILENT_SOON, stageOfThisFile } from './fixtures/stage.ts';

const stage = stageOfThisFile();

const auto = { root: aRoot({ planReview: 'auto' }) };

describe('a deployment whose plan has changes', () => {
  test('is applied when a person approved exactly that plan; its host cleans up by itself', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.record('awaiting-review');
    await deployment.review();

    const result = await deployment.result();
    await deployment.record('approved-and-applied');

    expect(result).toMatchObject({ status: 'succeeded', applied: COUNTS, review: { answer: 'approved', by: 'grace' } });
    expect(deployment.asked.calls).toEqual(['claim h1', 'plan h1', 'audit RUNNING', 'apply h1', 'audit SUCCESS']);
    expect(deployment.asked.applies).toMatchObject([{ go: { body: { digest: DIGEST } } }]);
    expect(deployment.asked.audits).toMatchObject([{ approvedBy: 'grace' }, { approvedBy: 'grace', state: 'SUCCESS' }]);
  });

  test('shows that it waits and how it ended, and tells its lane the end, also when the lane has ended', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.shows('awaiting-review');
    await deployment.review();

    await deployment.result();

    expect(deployment.asked.shown.at(-1)?.deployment.progress.status).toBe('succeeded');
    expect(deployment.asked.ends).toMatchObject([{ progress: { status: 'succeeded' } }]);
    expect(deployment.asked.records).toMatchObject([{ deployment: { progress: { status: 'succeeded' } } }]);
  });

  test('is not applied when a person rejected it', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.review({ answer: 'rejected' });

    const result = await deployment.result();
    await deployment.record('rejected');

    expect(result).toMatchObject({ status: 'rejected', review: { answer: 'rejected', by: 'grace' } });
    expect(deployment.asked.applies).toEqual([]);
    expect(deployment.asked.audits).toEqual([]);
    expect(deployment.asked.calls.slice(2).toSorted()).toEqual(['clean h1', 'delete plan']);
  });

  test('tells its lane how it ended when it was rejected', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.review({ answer: 'rejected' });

    await deployment.result();

    expect(deployment.asked.ends).toMatchObject([{ progress: { status: 'rejected' } }]);
  });

  test('expires when nobody answers in time', async () => {
    const deployment = await stage.start({}, { durations: { reviewMs: 50 } });

    const result = await deployment.result();
    await deployment.record('expired');

    expect(result).toMatchObject({ status: 'expired' });
    expect(deployment.asked.applies).toEqual([]);
  });

  test('says when its review ends', async () => {
    const deployment = await stage.start();

    const { plan, times } = await deployment.reached('awaiting-review');

    expect(Date.parse(plan?.expiresAt ?? '') - Date.parse(times['awaiting-review'] ?? '')).toBe(60_000);
    await deployment.handle.cancel();
  });
});

describe('who is asked', () => {
  const destroys = planned({ summary: aSummary({ delete: 1 }), textDigest: 'a1'.repeat(32) });

  test('nobody, for a plan without changes: it goes on and refreshes the state', async () => {
    const plan = planned({ hasChanges: false, summary: aSummary() });
    const deployment = await stage.start({ plan: () => Promise.resolve(plan) }, { reviewRequired: true });

    expect((await deployment.result()).status).toBe('no-changes');
    await deployment.record('no-changes');
    expect(deployment.asked.applies).toHaveLength(1);
  });

  test('nobody, where the root says auto', async () => {
    const deployment = await stage.start({ plan: () => Promise.resolve(destroys) }, auto);

    expect(await deployment.result()).toMatchObject({
      status: 'succeeded',
      plan: { reviewRequired: false, made: destroys.plan },
    });
    expect(deployment.asked.audits[0]).not.toHaveProperty('approvedBy');
  });

  test('a person, where the root says auto but the deployment requires a review', async () => {
    const deployment = await stage.start({}, { ...auto, reviewRequired: true, durations: { reviewMs: 50 } });

    expect((await deployment.result()).status).toBe('expired');
  });

  test('a person, where the root says auto_unless_destroy and the plan destroys', async () => {
    const root = aRoot({ planReview: 'auto_unless_destroy' });
    const deployment = await stage.start(
      { plan: () => Promise.resolve(destroys) },
      { root, durations: { reviewMs: 50 } },
    );

    expect((await deployment.result()).status).toBe('expired');
  });

  test('nobody, where the root says auto_unless_destroy and the plan creates', async () => {
    const deployment = await stage.start({}, { root: aRoot({ planReview: 'auto_unless_destroy' }) });

    expect((await deployment.result()).status).toBe('succeeded');
  });
});

describe('planning', () => {
  test('that fails ends the deployment with what Terraform said', async () => {
    const failure = { body: { summary: 'exit code 1', lines: ['Error: no such module'] } };
    const deployment = await stage.start({ plan: () => Promise.resolve({ kind: 'failed', failure }) });

    expect(await deployment.result()).toMatchObject({ status: 'plan-failed', failure });
    expect(deployment.asked.calls).toEqual(['claim h1', 'plan h1']);
    await deployment.record('plan-failed');
  });

  test('that nobody can help is not tried elsewhere', async () => {
    const plan = () =>
      Promise.reject(ApplicationFailure.nonRetryable('terraform 9.9.9 is not available', 'BINARY_MISSING'));
    const deployment = await stage.start({ plan });

    expect(await deployment.result()).toMatchObject({
      status: 'plan-failed',
      reason: expect.stringContaining('9.9.9'),
    });
    expect(deployment.asked.calls).not.toContain('claim h2');
  });

  test('goes to another host when the first one takes the order for forged: it may not know a key', async () => {
    const plan: Script['plan'] = (hostId) =>
      hostId === 'h1'
        ? Promise.reject(ApplicationFailure.nonRetryable('the key is not known here', 'FORGED'))
        : Promise.resolve(planned());
    const claim: Script['claim'] = (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2');
    const deployment = await stage.start({ plan, claim }, auto);

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h2' });
  });

  test('ends when three hosts take the order for forged', async () => {
    const plan = () => Promise.reject(ApplicationFailure.nonRetryable('expected the order to be signed', 'FORGED'));
    const deployment = await stage.start({ plan });

    expect(await deployment.result()).toMatchObject({
      status: 'plan-failed',
      reason: 'expected the order to be signed',
    });
    expect(deployment.asked.calls.filter((call) => call === 'plan h1')).toHaveLength(3);
  });

  test.each([
    ['succeeded', { kind: 'applied', counts: COUNTS }],
    ['apply-outcome-unknown', { kind: 'unknown', why: 'An apply began on host h9, and nobody knows how it ended.' }],
  ] as const)('ends as %s where an apply began that a backup does not know', async (status, outcome) => {
    const deployment = await stage.start({ plan: () => Promise.resolve({ kind: 'apply-begun', outcome }) });

    expect((await deployment.result()).status).toBe(status);
    expect(deployment.asked.applies).toEqual([]);
  });

  test('goes to another host when the first one falls silent', async () => {
    const deployment = await stage.start(
      {
        claim: (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2'),
        plan: (hostId) => (hostId === 'h1' ? silence() : Promise.resolve(planned())),
      },
      { ...auto, durations: SILENT_SOON },
    );

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h2' });
    expect(deployment.asked.calls).toEqual(expect.arrayContaining(['plan h1', 'plan h2', 'clean h1']));
    await deployment.record('planned-elsewhere-after-a-lost-host');
  });

  test('is given up after three hosts were lost', async () => {
    const claim = (attempt: number) => Promise.resolve(`h${attempt + 1}`);
    const deployment = await stage.start({ claim, plan: silence }, { durations: SILENT_SOON });

    const result = await deployment.result();

    expect(result).toMatchObject({ status: 'host-lost', hostId: 'h3', reason: '3 hosts were lost: the host was lost' });
    expect(deployment.asked.calls.filter((call) => call.startsWith('claim '))).toHaveLength(3);
    await deployment.record('host-lost');
  });

  test('goes on, visibly, when what it needs was away for a while', async () => {
    let refusals = 4;
    const plan = () => (refusals-- > 0 ? Promise.reject(new Error('GitHub answered 502')) : Promise.resolve(planned()));
    const deployment = await stage.start({ plan }, auto);

    expect((await deployment.result()).status).toBe('succeeded');
    const reasons = deployment.asked.shown.map((one) => one.deployment.progress.reason);
    expect(reasons).toContain('Planning is tried again: GitHub answered 502');
  });

  test('is given up when what it needs stays away', async () => {
    const plan = () => Promise.reject(new Error('the disk is full'));
    const deployment = await stage.start({ plan }, { durations: { patienceMs: 100 } });

    expect(await deployment.result()).toMatchObject({
      status: 'plan-failed',
      reason: 'It could not be planned: the disk is full',
    });
  });
});

describe('applying', () => {
  test('goes to another host, with the same plan and the same approval, when the one that planned is gone', async () => {
    const deployment = await stage.start({
      claim: (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2'),
      apply: (hostId) =>
        hostId === 'h1'
          ? Promise.reject(ApplicationFailure.retryable('the host is draining', 'HOST_DECLINED'))
          : Promise.resolve({ kind: 'applied', counts: COUNTS }),
    });
    await deployment.reached('awaiting-review');
    await deployment.review();

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', hostId: 'h2' });
    expect(deployment.asked.applies.map(({ go }) => go.body.digest)).toEqual([DIGEST, DIGEST]);
    await deployment.record('applied-elsewhere-after-a-host-declined');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
  });

  test.each([
    ['does not wait for a host that left while people looked at the plan', false, ['apply h2']],
    ['is asked of the host that planned, which is still there', true, ['apply h1']],
  ])('an apply %s', async (_rule, isHostAlive, applies) => {
    const deployment = await stage.start(
      {
        claim: (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2'),
        isHostAlive: () => Promise.resolve(isHostAlive),
      },
      { durations: { hostKnownMs: 0 } },
    );
    await deployment.reached('awaiting-review');
    await deployment.review();

    expect(await deployment.result()).toMatchObject({ status: 'succeeded' });
    expect(deployment.asked.calls.filter((call) => call.startsWith('apply'))).toEqual(applies);
  });

  test('is never tried again when its host falls silent: its outcome is unknown', async () => {
    const deployment = await stage.start({ apply: silence }, { ...auto, durations: SILENT_SOON });

    const result = await deployment.result();

    expect(result).toMatchObject({ status: 'apply-outcome-unknown', reason: 'no exit code was left' });
    expect(deployment.asked.applies).toHaveLength(1);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'UNKNOWN']);
  });

  test('is never tried again when it fails in a way that nobody foresaw', async () => {
    const deployment = await stage.start({ apply: () => Promise.reject(new Error('odd')) }, auto);

    expect((await deployment.result()).status).toBe('apply-outcome-unknown');
    expect(deployment.asked.applies).toHaveLength(1);
  });

  test('that fails ends the deployment with what Terraform said', async () => {
    const failure = { body: { summary: 'exit code 1', lines: ['Error: quota'] } };
    const deployment = await stage.start({ apply: () => Promise.resolve({ kind: 'failed', failure }) }, auto);

    expect(await deployment.result()).toMatchObject({ status: 'apply-failed', failure });
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
  });

  test('a plan that cannot be used any more is made and asked again, and says why', async () => {
    const deployment = await stage.start({
      plan: (_, attempt) => Promise.resolve(planned({ digest: attempt === 0 ? DIGEST : OTHER_DIGEST })),
      apply: (_, attempt) =>
        Promise.resolve(
          attempt === 0 ? { kind: 'plan-unusable', why: 'the state changed' } : { kind: 'applied', counts: COUNTS },
        ),
    });
    await deployment.reached('awaiting-review');
    await deployment.review();
    // Before somebody answers, which may be days later.
    await deployment.until('the end of the first apply', ({ audits: told }) => told.at(-1)?.state === 'FAILURE');

    const again = await deployment.reached('awaiting-review');
    await deployment.record('awaiting-review-again');
    await deployment.review({ digest: OTHER_DIGEST, by: 'linus' });

    expect([again.reason, again.plan?.made.body.digest]).toEqual(['Planned again: the state changed', OTHER_DIGEST]);
    expect(again).not.toHaveProperty('review');
    expect(await deployment.result()).toMatchObject({ status: 'succeeded', review: { by: 'linus' } });
    const audits = deployment.asked.audits.map(({ state, approvedBy }) => `${state} ${approvedBy ?? 'nobody'}`);
    expect(audits).toEqual(['RUNNING grace', 'FAILURE grace', 'RUNNING linus', 'SUCCESS linus']);
  });
});

describe('the audit trail', () => {
  test('without which nothing is applied', async () => {
    let isAway = true;
    const audit = () => (isAway ? Promise.reject(new Error('the topic is away')) : Promise.resolve());
    const deployment = await stage.start({ audit }, { ...auto, durations: { auditMs: 300 } });
    const progress = await deployment.reached('cancelled');
    await deployment.record('audit-trail-unavailable');

    expect(progress.reason).toContain('nothing was applied');
    isAway = false;
    await deployment.result();
    expect(deployment.asked.applies).toEqual([]);
    expect(deployment.asked.calls).toContain('delete plan');
  });

  test('gets the end of what never began, where its start may have been stored although its answer was lost', async () => {
    let answers = 0;
    const audit = ({ state }: { state: string }) => {
      answers += 1;
      return state === 'RUNNING' && answers <= 3 ? Promise.reject(new Error('no answer')) : Promise.resolve();
    };
    const deployment = await stage.start({ audit }, { ...auto, durations: { auditMs: 300 } });

    expect((await deployment.result()).status).toBe('cancelled');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
  });

  test('that is away keeps nobody from hearing how the apply ended', async () => {
    let isAway = false;
    const audit = ({ state }: { state: string }) =>
      state === 'SUCCESS' && isAway ? Promise.reject(new Error('the topic is away')) : Promise.resolve();
    const apply = async () => {
      isAway = true;
      return { kind: 'applied', counts: COUNTS } as const;
    };
    const deployment = await stage.start({ audit, apply }, auto);

    await deployment.shows('succeeded');
    await deployment.until('its end', ({ ends }) => ends.length === 1);

    isAway = false;
    expect((await deployment.result()).status).toBe('succeeded');
  });

  test('gets its end too when the deployment is cancelled while its start is still tried', async () => {
    let refusals = 0;
    const isRefused = Promise.withResolvers<undefined>();
    const audit = async () => {
      refusals += 1;
      if (refusals === 2) isRefused.resolve(undefined);
      if (refusals <= 2) throw new Error('the topic is away');
    };
    const deployment = await stage.start({ audit }, auto);
    await isRefused.promise;
    const { reason } = await deployment.progress();

    await deployment.handle.cancel();

    expect(reason).toBe('Waiting for permission to apply: storage and the audit trail are told first');

    expect((await deployment.result()).status).toBe('cancelled');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
    expect(deployment.asked.applies).toEqual([]);
  });

  test('gets the end of an apply, however long it takes', async () => {
    let refusals = 2;
    const audit = ({ state }: { state: string }) =>
      state === 'SUCCESS' && refusals-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve();
    const deployment = await stage.start({ audit }, auto);

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
  });
});
