/** A host has the keys of its pool, or it does not start. */
import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { createKeyPair, createSealKeyPair } from '@nereid/signature';
import { poolProblems, sealKeyOf } from './pool-keys.ts';

const [prod, dev] = [keysOf(), keysOf()];
const POOLS: ServerConfig['pools'] = [poolOf('prod', prod), poolOf('dev', dev)];

function keysOf() {
  return { sign: createKeyPair(), seal: createSealKeyPair() };
}

function poolOf(name: string, { sign, seal }: typeof prod): ServerConfig['pools'][number] {
  return { name, labels: [], publicKey: sign.publicKey, sealPublicKey: seal.publicKey };
}

function problemsOf(pool: string, { sign, seal }: typeof prod, pools = POOLS) {
  const poolSealKeys = [createPrivateKey(seal.privateKey)];
  return poolProblems({ pool, isHost: true, poolKey: createPrivateKey(sign.privateKey), poolSealKeys }, { pools });
}

test('a host starts with the keys of its pool, and one of default with any that no other pool has', () => {
  expect(problemsOf('prod', prod)).toEqual([]);
  expect(problemsOf('default', keysOf())).toEqual([]);
  expect(problemsOf('default', keysOf(), [])).toEqual([]);
});

test("a host of a pool that the server's file does not have is told which it has", () => {
  expect(problemsOf('prdo', prod)).toEqual([
    {
      path: 'POOL',
      message: `expected a pool of the server's file (default, prod, dev), found "prdo"; name one of these, or add it under pools`,
    },
  ]);
});

test('a host with a key that is not of its pool is told which one', () => {
  expect(problemsOf('prod', { ...prod, sign: keysOf().sign })).toMatchObject([
    {
      path: 'POOL_KEY',
      message: expect.stringMatching(/^expected the private half of the public_key of the pool prod/),
    },
  ]);
  expect(problemsOf('prod', { ...prod, seal: dev.seal })).toMatchObject([
    { path: 'POOL_SEAL_KEY', message: expect.stringContaining('seal_public_key of the pool prod') },
  ]);
});

test('a host with a key of another pool is told to look at POOL', () => {
  expect(problemsOf('default', prod)).toMatchObject([
    { path: 'POOL_KEY', message: expect.stringContaining('found one of another pool') },
  ]);
});

test('tokens are sealed to the newest key of the pool, and to nobody for a pool without one', () => {
  const newer = createSealKeyPair();
  const pools = [{ ...poolOf('prod', prod), sealPublicKey: prod.seal.publicKey + newer.publicKey }];
  const sealing = { sealKeys: { publicKey: undefined, privateKeys: [] }, server: { current: () => ({ pools }) } };

  expect(sealKeyOf(sealing, 'prod')?.export({ type: 'spki', format: 'pem' })).toBe(newer.publicKey);
  expect(sealKeyOf(sealing, 'default')).toBeUndefined();
  expect(sealKeyOf(sealing, 'dev')).toBeUndefined();
});
