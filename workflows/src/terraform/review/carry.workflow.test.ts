import { expect, test } from '@jest/globals';
import { aRoot, OTHER_DIGEST, planned } from '@nereid/domain/deployment-testing';
import { aPress } from '@nereid/domain/testing';
import { COUNTS, SIGNED, type Script } from '../fixtures/fake-hosts.ts';
import { stageOfThisFile } from '../fixtures/stage.ts';

const stage = stageOfThisFile();

const changes = 'c3'.repeat(32);
const root = { root: aRoot({ carryReview: 'same_plan' }) };

/** The first plan cannot be used, and the second one changes the same. */
const twice: Partial<Script> = {
  plan: async (_hostId, attempt) => planned({ changes, ...(attempt > 0 && { digest: OTHER_DIGEST }) }),
  apply: async (_hostId, attempt) =>
    attempt === 0 ? { kind: 'plan-unusable', why: 'the state changed' } : { kind: 'applied', counts: COUNTS },
};

test('a plan that is equal to the one that was confirmed is applied without another question', async () => {
  const carry: Partial<Script> = {
    carryReview: ({ deployment: { id }, plan, confirmed }) => {
      const { digest } = plan.made.body;
      const carriedFrom = confirmed.made.body.digest;
      const { body } = aPress({ deploymentId: id, requestId: 'carried', digest, carriedFrom });
      return Promise.resolve({ kind: 'carried', approvals: [{ body, signature: SIGNED }] });
    },
  };
  const deployment = await stage.start({ ...twice, ...carry }, root);
  await deployment.reached('awaiting-review');

  await deployment.review();

  expect(await deployment.result()).toMatchObject({
    status: 'succeeded',
    review: { by: 'grace', press: { body: { digest: OTHER_DIGEST } } },
  });
  expect(deployment.asked.beginnings).toHaveLength(2);
});

test('a person is asked again where control does not carry the answer over', async () => {
  const deployment = await stage.start(twice, root);
  await deployment.reached('awaiting-review');
  await deployment.review();
  await deployment.until(
    'a second question',
    ({ calls }) => calls.filter((call) => call.startsWith('plan')).length === 2,
  );
  await deployment.reached('awaiting-review');

  await deployment.review({ digest: OTHER_DIGEST });

  expect(await deployment.result()).toMatchObject({
    status: 'succeeded',
    plan: { made: { body: { digest: OTHER_DIGEST } } },
  });
});
