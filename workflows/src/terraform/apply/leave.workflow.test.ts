import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot, DIGEST } from '../fixtures/a-deployment.ts';
import { COUNTS, type Script } from '../fixtures/fake-hosts.ts';
import { stageOfThisFile } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const auto = { root: aRoot({ planReview: 'auto' }) };

describe('an apply', () => {
  test('is that for which control gave leave, to that host', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    await deployment.review();
    await deployment.result();

    const [asked] = deployment.asked.beginnings;
    expect(asked).toMatchObject({ hostId: 'h1', review: { by: 'grace', digest: DIGEST.slice(0, 12) } });
    expect(deployment.asked.applies).toMatchObject([{ jobId: asked?.jobId, go: { signature: 'go h1' }, hostId: 'h1' }]);
  });

  test('never begins where control refuses leave, which the check run says', async () => {
    const begin = () => Promise.reject(ApplicationFailure.nonRetryable('expected the plan to be signed', 'FORGED'));
    const deployment = await stage.start({ begin }, auto);

    expect(await deployment.result()).toMatchObject({
      status: 'cancelled',
      reason: 'There was no leave to apply, so nothing was applied: expected the plan to be signed',
    });
    expect(deployment.asked.applies).toEqual([]);
  });

  test('asks for leave of its own where another host takes it', async () => {
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
