import { expect, test } from '@jest/globals';
import { GitHubRefusedError, GitHubUnavailableError } from '@nereid/github';
import { RevisionGoneError } from '@nereid/git';
import { withFailureReported } from './with-failure-reported.ts';
import { refused, signalled } from './results.ts';

const gone = new RevisionGoneError('acme/infra', ['abc']);
const refusal = new GitHubRefusedError('GET pull request', 404, 'Not Found', {});
const away = new GitHubUnavailableError('GET pull request', 503, undefined, {});

const failing = (error: Error) => () => Promise.reject(error);
const report = (sentence: string) => Promise.resolve(refused(sentence));

test('what works is told by itself', async () => {
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
