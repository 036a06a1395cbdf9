import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createIdentityKeyPair } from '@nereid/signature';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { makeIssuerFiles } from './issuer-files.ts';

const folder = folderOfEachTest();
let publicFile: string;
let privateFile: string;

beforeEach(() => {
  [publicFile, privateFile] = [join(folder, 'key.pub.pem'), join(folder, 'key.pem')];
  const [older, newer] = [createIdentityKeyPair(), createIdentityKeyPair()];
  writeFileSync(publicFile, older.publicKey + newer.publicKey);
  writeFileSync(privateFile, newer.privateKey);
});

test('the files have all public keys, and the URL under which they are to be served', async () => {
  const made = await makeIssuerFiles('https://tokens.example.org/', publicFile, join(folder, 'site'));

  expect(made).toMatchObject({ kind: 'made', lines: expect.arrayContaining(['.well-known/jwks.json: made']) });
  const [discovery, keys] = ['openid-configuration', 'jwks.json'].map(
    (name) => JSON.parse(readFileSync(join(folder, 'site/.well-known', name), 'utf8')) as unknown,
  );
  expect(discovery).toMatchObject({ issuer: 'https://tokens.example.org' });
  const key = expect.objectContaining({ alg: 'RS256', kty: 'RSA', use: 'sig' }) as unknown;
  expect(keys).toEqual({ keys: [key, key] });
});

test('whatever is wrong is said', async () => {
  const why = async (url: string, file: string, to = 'site') => {
    const made = await makeIssuerFiles(url, file, join(folder, to));
    return made.kind === 'failed' ? made.why : undefined;
  };

  expect(await why('http://example.org', publicFile)).toMatch(/^expected an https URL/);
  expect(await why('https://a.example', privateFile)).toMatch(/^expected one or more RSA public keys of 2048 bits/);
  expect(await why('https://a.example', join(folder, 'nowhere'))).toMatch(/to name a file that can be read/);
  expect(await why('https://a.example', publicFile, 'key.pem/x')).toMatch(/^expected a folder for the documents/);
});
