import { expect, test } from '@jest/globals';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { RevisionGoneError } from '@nereid/git';
import { withFailureReported } from './with-failure-reported.ts';
import { refused, signalled } from './results.ts';

const gone = new RevisionGoneError('acme/infra', ['abc']);
const refusal = new ForgeRefusedError('there is no such pull request', { status: 404 });
const away = new ForgeUnavailableError('the forge is away', { status: 503 });

const failing = (error: Error) => () => Promise.reject(error);
const report = (sentence: string) => Promise.resolve(refused(sentence));

test('a result is reported as it is', async () => {
  const result = await withFailureReported(() => Promise.resolve(signalled('done', [])), report);

  expect(result).toEqual(signalled('done', []));
});

test.each([gone, refusal])('what no other attempt mends is told to the person who asked: %s', async (error) => {
  const result = await withFailureReported(failing(error), report);

  expect(result).toEqual(refused(error.message));
});

test('what another attempt may mend is left to it', async () => {
  await expect(withFailureReported(failing(away), report)).rejects.toBe(away);
});

test('what cannot be told fails', async () => {
  await expect(withFailureReported(failing(gone), failing(refusal))).rejects.toBe(refusal);
});
