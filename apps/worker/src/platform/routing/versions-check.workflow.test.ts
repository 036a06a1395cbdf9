import { expect, test } from '@jest/globals';
import { freePort } from '@nereid/test-kit';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { versionsCheck } from './versions-check.ts';

const environment = environmentOfThisFile();

function check(address: string) {
  const { namespace } = environment;
  return versionsCheck({ namespace, connection: { address }, dataConverter: {} }).run(new AbortController().signal);
}

test('before the first control worker, the doctor says that it will have workflows routed to it', async () => {
  expect(await check(environment.address)).toMatchObject({
    outcome: 'ok',
    found: 'the first control worker has workflows routed to it',
  });
});

test('a Temporal that does not answer is the business of another check', async () => {
  expect(await check(`127.0.0.1:${await freePort()}`)).toMatchObject({ outcome: 'skip' });
});
