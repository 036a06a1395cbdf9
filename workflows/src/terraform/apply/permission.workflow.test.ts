import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot, aSummary, DIGEST, OTHER_DIGEST, planned } from '@nereid/domain/deployment-testing';
import { COUNTS, type Script } from '../fixtures/fake-hosts.ts';
import { stageOfThisFile } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const auto = { root: aRoot({ planReview: 'auto' }) };

describe('an apply', () => {
  test('is that for which control gave permission, to that host', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.review();
    await deployment.result();

    const [asked] = deployment.asked.beginnings;
    expect(asked).toMatchObject({ hostId: 'h1', review: { body: { by: 'grace', digest: DIGEST } } });
    const go = { body: { hostId: 'h1', jobId: asked?.jobId, digest: DIGEST }, signature: 'go h1' };
    const permission = { jobId: asked?.jobId, go, review: { body: { by: 'grace' } } };
    expect(deployment.asked.applies).toMatchObject([permission]);
  });

  test('never begins where control refuses permission, which the check run says', async () => {
    const begin = () =>
      Promise.reject(ApplicationFailure.nonRetryable('expected the result/plan to be signed', 'FORGED'));
    const deployment = await stage.start({ begin }, auto);

    expect(await deployment.result()).toMatchObject({
      status: 'cancelled',
      reason: 'There was no permission to apply, so nothing was applied: expected the result/plan to be signed',
    });
    expect(deployment.asked.applies).toEqual([]);
    // Both, because an earlier request may have told the start.
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
  });

  test('ends at once where control refuses permission for the next host for good, and the audit trail gets its end', async () => {
    const begin: Script['begin'] = (hostId) =>
      hostId === 'h1'
        ? Promise.resolve()
        : Promise.reject(ApplicationFailure.nonRetryable('it has ended', 'DEPLOYMENT_ENDED'));
    const claim: Script['claim'] = (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2');
    const apply = () => Promise.reject(ApplicationFailure.retryable('the host is draining', 'HOST_DECLINED'));
    const deployment = await stage.start({ begin, claim, apply }, auto);

    expect(await deployment.result()).toMatchObject({
      status: 'cancelled',
      reason: 'There was no permission to apply, so nothing was applied: it has ended',
    });
    expect(deployment.asked.beginnings.map(({ hostId }) => hostId)).toEqual(['h1', 'h2']);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'FAILURE']);
  });

  test('waits for the audit trail, and the check run says who approved', async () => {
    const isAway = Promise.withResolvers<undefined>();
    let refusals = 0;
    const begin = async () => {
      refusals += 1;
      if (refusals === 1) throw new Error('the topic is away');
      await isAway.promise;
    };
    const deployment = await stage.start({ begin });
    await deployment.reached('awaiting-review');
    await deployment.review();

    await deployment.until('who approved on the check run', ({ shown }) =>
      shown.some(({ deployment: { progress } }) => progress.review?.by === 'grace' && progress.reason !== undefined),
    );
    await deployment.record('approved-while-the-audit-trail-is-away');
    isAway.resolve(undefined);

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.userActions).toMatchObject([{ state: 'REVIEWED', initiatingUser: 'grace' }]);
    expect(deployment.asked.audits.map(({ state, approvedBy }) => [state, approvedBy])).toEqual([
      ['RUNNING', 'grace'],
      ['SUCCESS', 'grace'],
    ]);
  });

  test('of a plan that was made again, and that takes no review, does not bring the approval of the plan before', async () => {
    const plan: Script['plan'] = (_host, attempt) =>
      Promise.resolve(
        attempt === 0 ? planned({ summary: aSummary({ delete: 1 }) }) : planned({ digest: OTHER_DIGEST }),
      );
    const apply: Script['apply'] = (_host, attempt) =>
      Promise.resolve(
        attempt === 0 ? { kind: 'plan-unusable', why: 'the state changed' } : { kind: 'applied', counts: COUNTS },
      );
    const deployment = await stage.start({ plan, apply }, { root: aRoot({ planReview: 'auto_unless_destroy' }) });
    await deployment.reached('awaiting-review');
    await deployment.review();

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.beginnings.map(({ review }) => review?.body.by)).toEqual(['grace', undefined]);
  });

  test('asks for permission of its own where another host takes it', async () => {
    const claim: Script['claim'] = (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h3');
    const apply: Script['apply'] = (hostId) =>
      hostId === 'h3'
        ? Promise.resolve({ kind: 'applied', counts: COUNTS })
        : Promise.reject(ApplicationFailure.nonRetryable('the key is not known here', 'FORGED'));
    const deployment = await stage.start({ claim, apply }, auto);

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.beginnings.map(({ hostId }) => hostId)).toEqual(['h1', 'h3']);
    expect(deployment.asked.applies.map(({ go }) => go.signature)).toEqual(['go h1', 'go h3']);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
  });
});

test('an answer about the apply that no host signed is not told: its outcome is unknown', async () => {
  const show: Script['show'] = ({ deployment: { progress } }) =>
    progress.status === 'succeeded'
      ? Promise.reject(ApplicationFailure.nonRetryable('expected the outcome to be signed', 'FORGED'))
      : Promise.resolve();
  const end = ({ status }: Progress) =>
    status === 'succeeded'
      ? Promise.reject(ApplicationFailure.nonRetryable('no signature', 'FORGED'))
      : Promise.resolve();
  const deployment = await stage.start({ show, end }, auto);

  expect(await deployment.result()).toMatchObject({
    status: 'apply-outcome-unknown',
    reason: expect.stringMatching(/^No host of this installation signed .* look at the state/),
  });
  await deployment.record('outcome-that-nobody-signed');
  expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'UNKNOWN']);
  expect(deployment.asked.shown.at(-1)?.deployment.progress).not.toHaveProperty('applied');
});
