/** Hosts of one pool cannot say what hosts of another one would have to say. */
import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { createKeyPair, createSigner } from '@nereid/signature';
import { createSignatures } from './signatures.ts';
import { TEST_KEYS, testSignatures } from '../../testing/test-signatures.ts';

const [dev, prod, newer] = [createKeyPair(), createKeyPair(), createKeyPair()];
const FACTS = { deploymentId: 'd1' };
const FORGED = { code: 'FORGED', kind: 'plan' };

const byHostOf = ({ privateKey }: typeof dev) => createSigner(createPrivateKey(privateKey)).sign('plan', FACTS);

function aPool(name: string, ...keys: readonly (typeof dev)[]): ServerConfig['pools'][number] {
  return { name, labels: [], publicKey: keys.map(({ publicKey }) => publicKey).join('') };
}

function control(pools: ServerConfig['pools']) {
  const forged: string[] = [];
  const server = { pools };
  const signatures = createSignatures({
    keys: TEST_KEYS,
    pool: 'default',
    server: { current: () => ({ ...server }) },
    onForged: ({ kind }) => forged.push(kind),
  });
  return { signatures, forged, server };
}

test('a plan counts as one of its pool, and of no other', async () => {
  const { signatures, forged } = control([aPool('dev', dev), aPool('prod', prod)]);
  const [ofDev, ofDefault] = [await byHostOf(dev), await testSignatures.sign('plan', FACTS)];

  await signatures.verifyOfPool('dev', 'plan', FACTS, ofDev);
  await signatures.verifyOfPool('default', 'plan', FACTS, ofDefault);

  await expect(signatures.verifyOfPool('prod', 'plan', FACTS, ofDev)).rejects.toMatchObject(FORGED);
  await expect(signatures.verifyOfPool('default', 'plan', FACTS, ofDev)).rejects.toMatchObject(FORGED);
  await expect(signatures.verifyOfPool('prod', 'plan', FACTS, ofDefault)).rejects.toMatchObject(FORGED);
  expect(forged).toEqual(['plan', 'plan', 'plan']);
});

test("nothing counts of a pool that the server's file does not have", async () => {
  const { signatures } = control([aPool('dev', dev)]);

  await expect(signatures.verifyOfPool('prod', 'plan', FACTS, await byHostOf(prod))).rejects.toMatchObject(FORGED);
});

test('a key that the file gets while the worker runs counts, and one that it loses does not', async () => {
  const { signatures, server } = control([aPool('prod', prod)]);
  const [older, later] = [await byHostOf(prod), await byHostOf(newer)];
  await expect(signatures.verifyOfPool('prod', 'plan', FACTS, later)).rejects.toMatchObject(FORGED);

  server.pools = [aPool('prod', prod, newer)];
  await signatures.verifyOfPool('prod', 'plan', FACTS, older);
  await signatures.verifyOfPool('prod', 'plan', FACTS, later);

  server.pools = [aPool('prod', newer)];
  await signatures.verifyOfPool('prod', 'plan', FACTS, later);
  await expect(signatures.verifyOfPool('prod', 'plan', FACTS, older)).rejects.toMatchObject(FORGED);
});
