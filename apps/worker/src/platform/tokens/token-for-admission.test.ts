import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { testSignatures, withOrder } from '../../testing/test-signatures.ts';
import { createTokenForAdmission } from './token-for-admission.ts';
import { aJob } from './testing/a-job.ts';

const logger = pino({ level: 'silent' });
const { order } = await withOrder(aJob());

async function aToken() {
  const { id: deploymentId, repository } = order.body;
  return testSignatures.enclose('token/read', { version: 1, repository, deploymentId, sealed: 'sealed' });
}

test('an admission brings the token of exactly its order', async () => {
  const asked: unknown[] = [];
  const seal = (request: unknown) => (asked.push(request), aToken());

  expect(await createTokenForAdmission({ seal, logger })(order)).toEqual(await aToken());
  expect(asked).toEqual([{ version: 1, order }]);
});

test('an admission without a token goes on: the forge does not answer, or refuses', async () => {
  const silent = createTokenForAdmission({ seal: () => new Promise(() => undefined), logger, withinMs: 10 });
  const refusing = createTokenForAdmission({ seal: () => Promise.reject(new Error('GitHub is away')), logger });

  expect(await silent(order)).toBeUndefined();
  expect(await refusing(order)).toBeUndefined();
});
