import { expect, test } from '@jest/globals';
import { StorageUnavailableError } from '@nereid/storage';
import { Client, Connection } from '@temporalio/client';
import { sentenceOf } from './sentence-of.ts';

test('a Temporal that nobody reaches is a sentence', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' }); // Nobody listens there.
  const { workflow } = new Client({ connection });
  const asked = connection.withDeadline(Date.now() + 200, () => workflow.getHandle('w').signal('unlock'));

  const error: unknown = await asked.catch((reason: unknown) => reason);

  expect(sentenceOf(error)).toMatch(/^expected an answer of Temporal, found: \S.*; see whether it runs/);
  await connection.close();
});

test('an error of ours says what it says, and a bug is no sentence', () => {
  const ours = new StorageUnavailableError('lanes/a', 'read', { cause: undefined });

  expect(sentenceOf(ours)).toBe(ours.message);
  for (const bug of [new TypeError('x is undefined'), Object.assign(new Error('no'), { code: 'ENOENT' }), 'text'])
    expect(sentenceOf(bug)).toBeUndefined();
});
