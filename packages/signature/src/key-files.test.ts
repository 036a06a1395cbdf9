import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import {
  createKeyPair,
  createOpener,
  createSealer,
  createSigner,
  createVerifier,
  ensureKeyFiles,
  KEY_PAIRS,
  readPublicKeys,
} from './index.ts';

const folder = folderOfEachTest();

test('each pair is made of two halves, and only its owner reads the private one', async () => {
  const pairs = ensureKeyFiles(join(folder, 'new'));

  for (const name of KEY_PAIRS) {
    const { privateFile, isNew } = pairs[name];
    expect({ isNew, mode: statSync(privateFile).mode & 0o777 }).toEqual({ isNew: true, mode: 0o600 });
  }
  for (const name of ['gateway', 'orders', 'pool'] as const) {
    const { privateFile, publicFile } = pairs[name];
    const signature = await createSigner(createPrivateKey(readFileSync(privateFile, 'utf8'))).sign('result/plan', {});
    const keys = readPublicKeys(readFileSync(publicFile, 'utf8')) ?? [];
    await expect(createVerifier(keys).verify('result/plan', {}, signature)).resolves.toBeUndefined();
  }
});

test('the fourth pair seals and opens', async () => {
  const { privateFile, publicFile } = ensureKeyFiles(folder)['pool-seal'];
  const purpose = { subject: 'd1', repository: 'acme/infra' };
  const sealed = { secret: 'token', expiresAt: 4_000_000_000_000 };

  const text = await createSealer(createPublicKey(readFileSync(publicFile, 'utf8'))).seal(purpose, sealed);

  const opener = createOpener([createPrivateKey(readFileSync(privateFile, 'utf8'))]);
  await expect(opener.open(purpose, text)).resolves.toEqual(sealed);
  expect(ensureKeyFiles(folder)['pool-seal']).toMatchObject({ isNew: false, isPublicNew: false });
});

test('what is there is left as it is, older public keys too', () => {
  const { orders } = ensureKeyFiles(folder);
  const rotated = readFileSync(orders.publicFile, 'utf8') + createKeyPair().publicKey;
  writeFileSync(orders.publicFile, rotated);
  const before = readFileSync(orders.privateFile, 'utf8');

  expect(ensureKeyFiles(folder).orders.isNew).toBe(false);

  expect(readFileSync(orders.privateFile, 'utf8')).toBe(before);
  expect(readFileSync(orders.publicFile, 'utf8')).toBe(rotated);
});

test('a new private half, after a rotation, gets its public half beside the older ones', async () => {
  const { pool } = ensureKeyFiles(folder);
  const older = readFileSync(pool.publicFile, 'utf8');
  rmSync(pool.privateFile);

  expect(ensureKeyFiles(folder).pool).toMatchObject({ isNew: true, isPublicNew: true });

  const signature = await createSigner(createPrivateKey(readFileSync(pool.privateFile, 'utf8'))).sign(
    'result/plan',
    {},
  );
  const known = readFileSync(pool.publicFile, 'utf8');
  expect(known.startsWith(older)).toBe(true);
  await expect(
    createVerifier(readPublicKeys(known) ?? []).verify('result/plan', {}, signature),
  ).resolves.toBeUndefined();
});

test('a public half that is missing is made from the private one', () => {
  const { pool } = ensureKeyFiles(folder);
  const before = readFileSync(pool.publicFile, 'utf8');
  rmSync(pool.publicFile);

  ensureKeyFiles(folder);

  expect(readFileSync(pool.publicFile, 'utf8')).toBe(before);
});
