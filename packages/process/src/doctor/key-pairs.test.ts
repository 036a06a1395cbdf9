import { expect, test } from '@jest/globals';
import { createKeyPair, createSealKeyPair } from '@nereid/signature';
import { keyPairsCheck } from './key-pairs.ts';

const [one, other] = [createKeyPair(), createKeyPair()];
const [seal, otherSeal] = [createSealKeyPair(), createSealKeyPair()];
const run = (record: Record<string, string>) => keyPairsCheck(record).run(new AbortController().signal);

test('halves of one key belong together, also while keys rotate', async () => {
  const rotating = `${other.publicKey}${one.publicKey}`;

  expect(await run({ GATEWAY_KEY: one.privateKey, GATEWAY_PUBLIC_KEY: rotating })).toMatchObject({ outcome: 'ok' });
});

test('halves of two keys do not, and each is named', async () => {
  const found = await run({
    ORDERS_KEY: one.privateKey,
    ORDERS_PUBLIC_KEY: other.publicKey,
    CONTROL_SEAL_KEY: seal.privateKey,
    CONTROL_SEAL_PUBLIC_KEY: otherSeal.publicKey,
  });

  expect(found).toEqual([
    {
      outcome: 'fail',
      found: 'expected ORDERS_PUBLIC_KEY to have the public half of ORDERS_KEY, found the half of another key',
      remedy: 'give all processes the files of one run of: nereid keys FOLDER',
    },
    expect.objectContaining({ outcome: 'fail', found: expect.stringContaining('CONTROL_SEAL_PUBLIC_KEY') }),
  ]);
});

test('a host of another pool has keys of its own beside the public ones of the pool default', async () => {
  const keys = { POOL: 'gpu', POOL_KEY: one.privateKey, POOL_PUBLIC_KEY: other.publicKey };

  expect(await run(keys)).toMatchObject({ outcome: 'skip' });
});

test('a key that cannot be read is a problem of the configuration', async () => {
  expect(await run({ ORDERS_KEY: 'no key', ORDERS_PUBLIC_KEY: one.publicKey })).toMatchObject({ outcome: 'skip' });
});
