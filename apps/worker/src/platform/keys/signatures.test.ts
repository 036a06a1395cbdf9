/** Hosts of one pool cannot say what hosts of another one would have to say. */
import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import type { MadePlan } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aPlan } from '@nereid/domain/testing';
import { createKeyPair, createSigner, encloseBody } from '@nereid/signature';
import { createSignatures } from './signatures.ts';
import { TEST_KEYS, testSignatures } from '../../testing/test-signatures.ts';

const [dev, prod, newer] = [createKeyPair(), createKeyPair(), createKeyPair()];
const { body: MADE } = aPlan().made;
const { deploymentId, order } = MADE;
const FORGED = { code: 'FORGED', kind: 'result/plan' };

const byHostOf = ({ privateKey }: typeof dev) =>
  encloseBody(createSigner(createPrivateKey(privateKey)), 'result/plan', MADE);

function aPool(name: string, ...keys: readonly (typeof dev)[]): ServerConfig['pools'][number] {
  return { name, labels: [], publicKey: keys.map(({ publicKey }) => publicKey).join('') };
}

function control(pools: ServerConfig['pools'], onAbout: (about: string) => void = () => undefined) {
  const forged: string[] = [];
  const server = { pools };
  const signatures = createSignatures({
    keys: TEST_KEYS,
    pool: 'default',
    server: { current: () => ({ ...server }) },
    onForged: ({ kind }, about) => {
      forged.push(kind);
      onAbout(about);
    },
  });
  const open = (pool: string, plan: Signed<MadePlan>) =>
    signatures.open('result/plan', plan, { pool, deploymentId, order });
  return { signatures, open, forged, server };
}

test('a plan counts as one of its pool, and of no other', async () => {
  const { open, forged } = control([aPool('dev', dev), aPool('prod', prod)]);
  const [ofDev, ofDefault] = [await byHostOf(dev), await testSignatures.enclose('result/plan', MADE)];

  await open('dev', ofDev);
  await open('default', ofDefault);

  await expect(open('prod', ofDev)).rejects.toMatchObject(FORGED);
  await expect(open('default', ofDev)).rejects.toMatchObject(FORGED);
  await expect(open('prod', ofDefault)).rejects.toMatchObject(FORGED);
  expect(forged).toEqual(['result/plan', 'result/plan', 'result/plan']);
});

test("nothing counts of a pool that the server's file does not have", async () => {
  const { open } = control([aPool('dev', dev)]);

  await expect(open('prod', await byHostOf(prod))).rejects.toMatchObject(FORGED);
});

test('a key that the file gets while the worker runs counts, and one that it loses does not', async () => {
  const { open, server } = control([aPool('prod', prod)]);
  const [older, later] = [await byHostOf(prod), await byHostOf(newer)];
  await expect(open('prod', later)).rejects.toMatchObject(FORGED);

  server.pools = [aPool('prod', prod, newer)];
  await open('prod', older);
  await open('prod', later);

  server.pools = [aPool('prod', newer)];
  await open('prod', later);
  await expect(open('prod', older)).rejects.toMatchObject(FORGED);
});

test.each<[string, unknown, string]>([
  ['nested deeply', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'object'],
  ['no text', { toString: 1, valueOf: 1 }, 'object'],
  ['long', 'd'.repeat(1_000_000), 'd'.repeat(100)],
  ['absent', undefined, 'undefined'],
])('what is forged is reported as such, also if its id is %s', async (_what, id, reported) => {
  const told: string[] = [];
  const { signatures } = control([], (about) => told.push(about));
  const forged = { body: { ...MADE, deploymentId: id }, signature: 'none' } as Signed<MadePlan>; // It came over the wire.

  expect(
    await signatures.openIfGenuine('result/plan', forged, { pool: 'default', deploymentId, order }),
  ).toBeUndefined();
  expect(told).toEqual([reported]);
});
