import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot } from '@nereid/domain/deployment-testing';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { stageOfThisFile } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const auto = { root: aRoot({ planReview: 'auto' }) };

const SENTENCE = 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)';

/** As control says it. A workflow waits for some seconds at least, because clocks differ. */
function closed(detail: object): ApplicationFailure {
  return ApplicationFailure.create({ message: SENTENCE, type: 'GATE_CLOSED', nonRetryable: true, details: [detail] });
}

describe('at a closed gate, a deployment', () => {
  test('says why it waits, keeps its approval, and is applied once the gate opens', async () => {
    let asks = 0;
    const begin = () => {
      asks += 1;
      const wait = { gate: 'window', sentence: SENTENCE, who: ['operators', 'nobody known'], until: Date.now() };
      return asks === 1 ? Promise.reject(closed(wait)) : Promise.resolve();
    };
    const deployment = await stage.start({ begin });
    await deployment.reached('awaiting-review');
    await deployment.review();

    expect(await deployment.reached('blocked')).toMatchObject({
      ...{ reason: SENTENCE, review: { by: 'grace' } },
      waitsFor: { gate: 'window', who: ['operators'] },
    });
    await deployment.shows('blocked');
    await deployment.record('closed-before-its-apply');
    expect((await deployment.result()).status).toBe('succeeded');
    const asked = deployment.asked.beginnings.map(({ jobId, review }) => [jobId, review?.body.by]);
    expect(asked).toEqual([asked[0], asked[0]]);
    expect(asked[0]?.[1]).toBe('grace');
    expect(deployment.asked.userActions).toMatchObject([{ state: 'REVIEWED', initiatingUser: 'grace' }]);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
    expect(asks).toBe(2);
  });

  test('can be cancelled, and nothing was applied', async () => {
    const begin = () => Promise.reject(closed({ gate: 'window', sentence: SENTENCE }));
    const deployment = await stage.start({ begin }, auto);
    await deployment.reached('blocked');

    await deployment.handle.cancel();

    expect((await deployment.result()).status).toBe('cancelled');
    expect(deployment.asked.applies).toEqual([]);
    expect(deployment.asked.audits).toEqual([]);
  });

  test('takes nothing from an answer that is none of a gate', async () => {
    const begin = () => Promise.reject(closed({ gate: 1, until: 'for ever' }));
    const deployment = await stage.start({ begin }, auto);

    expect(await deployment.result()).toMatchObject({
      status: 'cancelled',
      reason: expect.stringContaining('There was no permission to apply'),
    });
  });
});

describe('at a full budget, a deployment', () => {
  const FULL = '1 of 1 apply on aws-prod: network. One deployment comes first';
  const wait = { gate: 'budget', sentence: FULL, who: ['other lanes'] };
  const full = () =>
    ApplicationFailure.create({ message: FULL, type: 'GATE_CLOSED', nonRetryable: true, details: [wait] });

  test('says who has the leases, and is applied once it is told that one is free', async () => {
    let isFree = false;
    const deployment = await stage.start({ begin: () => (isFree ? Promise.resolve() : Promise.reject(full())) }, auto);
    await deployment.shows('blocked');
    expect(await deployment.progress()).toMatchObject({
      ...{ reason: FULL, waitsFor: { gate: 'budget', who: ['other lanes'] } },
    });
    expect(deployment.asked.applies).toEqual([]);

    await deployment.handle.signal(MESSAGE.askAgain, { version: 1 });
    await deployment.until('another question', ({ beginnings }) => beginnings.length === 2);
    expect((await deployment.reached('blocked')).reason).toBe(FULL);
    isFree = true;
    await deployment.handle.signal(MESSAGE.askAgain, { version: 1 });

    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.beginnings).toHaveLength(3);
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(['RUNNING', 'SUCCESS']);
  });

  test('that is told of a free lease just before it hears that there is none, asks again at once', async () => {
    const answer = Promise.withResolvers<undefined>();
    let asks = 0;
    const begin = () => {
      asks += 1;
      return asks === 1 ? answer.promise : Promise.resolve();
    };
    const deployment = await stage.start({ begin }, auto);
    await deployment.until('a question', ({ beginnings }) => beginnings.length === 1);

    await deployment.handle.signal(MESSAGE.askAgain, { version: 1 });
    // The answer to a query comes after the signal.
    await deployment.progress();
    answer.reject(full());

    expect((await deployment.result()).status).toBe('succeeded');
    expect(asks).toBe(2);
  });
});
