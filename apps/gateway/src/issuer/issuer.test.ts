/** What clouds find below the issuer's URL, over real HTTP. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { createIdentityKeyPair, createIssuer } from '@nereid/signature';
import { tradeToken } from '@nereid/test-kit';
import { startTestGateway, type TestGateway } from '../gateway.fixture.ts';
import { issuerProblems } from './issuer-config.ts';

const [older, newer, foreign] = [createIdentityKeyPair(), createIdentityKeyPair(), createIdentityKeyPair()];
const publicKeys = [older, newer].map(({ publicKey }) => createPublicKey(publicKey));

let gateway: TestGateway | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

test('while keys rotate, clouds believe tokens of both, and of no other', async () => {
  const url = await open();
  const trust = { issuer: url, audience: 'a', subject: 's' };
  const traded = async ({ privateKey }: typeof older) => {
    const issuer = createIssuer({ url, privateKey: createPrivateKey(privateKey) });
    const { value } = await issuer.issue({ subject: 's', audience: 'a', lifeMs: 60_000, claims: {} });
    return (await tradeToken('azure', trust, value)).kind;
  };

  expect([await traded(older), await traded(newer), await traded(foreign)]).toEqual(['traded', 'traded', 'refused']);
});

test('an issuer below a path is found there, and nowhere else', async () => {
  const url = await open('/nereid');

  const [there, elsewhere] = await Promise.all([
    fetch(`${url}/.well-known/openid-configuration`),
    fetch(new URL('/.well-known/openid-configuration', url)),
  ]);

  expect(await there.json()).toMatchObject({ issuer: url, jwks_uri: `${url}/.well-known/jwks.json` });
  expect(elsewhere.status).toBe(404);
});

test('the documents may be kept, and show nothing but public keys', async () => {
  const url = await open();

  const response = await fetch(`${url}/.well-known/jwks.json`);

  expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
  const { keys } = (await response.json()) as { readonly keys: readonly object[] }; // As this test has just asked for.
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual(
    [older, newer].map(() => ['alg', 'e', 'kid', 'kty', 'n', 'use']),
  );
});

test('a gateway without an issuer has none of these', async () => {
  gateway = await startTestGateway();

  expect((await fetch(`${gateway.url}/.well-known/jwks.json`)).status).toBe(404);
});

test('an issuer without keys is a problem, which says what to do', () => {
  const issuer = { IDENTITY_ISSUER: 'https://nereid.example.org' };

  expect(issuerProblems(issuer)).toEqual([
    {
      path: 'IDENTITY_PUBLIC_KEY',
      message: expect.stringMatching(/found nothing; make all keys with: nereid keys/),
    },
  ]);
  expect(issuerProblems({ ...issuer, IDENTITY_PUBLIC_KEY: older.publicKey })).toEqual([]);
  expect(issuerProblems({})).toEqual([]);
});

/** Returns the URL of the issuer. */
async function open(path = ''): Promise<string> {
  gateway = await startTestGateway({ issuer: (url) => ({ url: `${url}${path}`, publicKeys }) });
  return `${gateway.url}${path}`;
}
