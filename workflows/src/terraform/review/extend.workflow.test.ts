import { describe, expect, test } from '@jest/globals';
import { OTHER_DIGEST } from '@nereid/domain/deployment-testing';
import { eventually, stageOfThisFile, type Played } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const UNTIL = '2998-01-31T14:00:00.000Z';

describe('a review that somebody extends', () => {
  test('is open until then, and its plan can be confirmed', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');

    await deployment.extend({ until: UNTIL });
    await waitsUntil(deployment, UNTIL);
    await deployment.review();

    expect(await deployment.result()).toMatchObject({ status: 'succeeded', review: { by: 'grace' } });
  });

  test('stays as it is where nobody signed that, or the person saw another plan', async () => {
    const deployment = await stage.start();
    await deployment.reached('awaiting-review');
    const { plan } = await deployment.progress();

    await deployment.extend({ until: UNTIL }, 'forged');
    await deployment.extend({ until: UNTIL, digest: OTHER_DIGEST });
    await deployment.extend({ until: '2026-01-01T00:00:00.000Z' });
    // It is decided after those that came before it.
    await deployment.review();

    expect((await deployment.result()).plan?.expiresAt).toBe(plan?.expiresAt);
  });
});

async function waitsUntil(deployment: Played, until: string): Promise<void> {
  await eventually(async () => {
    const { plan } = await deployment.progress();
    return plan?.expiresAt === until || new Error(`expected a wait until ${until}, found ${plan?.expiresAt}`);
  });
}
