import { describe, expect, test } from '@jest/globals';
import { createIdentityKeyPair } from '@nereid/signature';
import { identityProblems } from './identity-config.ts';
import { serverWith } from '../tokens/identity/testing/test-issuer.ts';

const WITH = serverWith('[{ match: acme/*, roots: { prod: { identity: { audience: nereid } } } }]');
const WITHOUT = serverWith('[{ match: acme/* }]');
const CONTROL = { roles: ['control'], hasSealKey: false } as const;
const HOST = { roles: ['terraform'], hasSealKey: false } as const;
const KEYS = { IDENTITY_KEY: createIdentityKeyPair().privateKey, IDENTITY_ISSUER: 'https://nereid.example.org' };

describe("where the server's file gives identities to roots", () => {
  test('control needs the key and the URL, and is told how to get them', () => {
    expect(identityProblems({}, WITH, CONTROL)).toEqual([
      { path: 'IDENTITY_KEY', message: expect.stringMatching(/found nothing; make all keys with: nereid keys/) },
      { path: 'IDENTITY_ISSUER', message: expect.stringContaining('set it to the URL of the gateway') },
    ]);
    expect(identityProblems(KEYS, WITH, CONTROL)).toEqual([]);
  });

  test('a host alone needs no more than a key to open what control seals', () => {
    expect(identityProblems({}, WITH, HOST)).toEqual([expect.objectContaining({ path: 'POOL_SEAL_KEY' })]);
    expect(identityProblems({}, WITH, { ...HOST, hasSealKey: true })).toEqual([]);
  });
});

test('where it gives none, nobody needs any of these', () => {
  expect([CONTROL, HOST].flatMap((worker) => identityProblems({}, WITHOUT, worker))).toEqual([]);
});
