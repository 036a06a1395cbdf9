import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { aRoot } from '@nereid/domain/deployment-testing';
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
