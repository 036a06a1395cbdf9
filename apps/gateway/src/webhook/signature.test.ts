import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { isSigned } from './signature.ts';

const BODY = Buffer.from('{"zen":"Speak like a human."}');
const SECRETS = [new Secret('new'), new Secret('old')];

test.each(['new', 'old'])('a body signed with the %s secret is believed, so secrets can be rotated', (secret) => {
  expect(isSigned(BODY, signatureWith('sha256', secret), SECRETS)).toBe(true);
});

test("GitHub's own example is believed", () => {
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  expect(isSigned(Buffer.from('Hello, World!'), signature, [new Secret("It's a Secret to Everybody")])).toBe(true);
});

test.each([
  ['of another secret', signatureWith('sha256', 'other')],
  ['of another body', signatureWith('sha256', 'new', 'other')],
  ['with SHA-1', signatureWith('sha1', 'new')],
  ['that calls SHA-1 SHA-256', signatureWith('sha1', 'new').replace('sha1', 'sha256')],
  ['that is too short', signatureWith('sha256', 'new').slice(0, -2)],
  ['without an algorithm', signatureWith('sha256', 'new').slice('sha256='.length)],
  ['with something after it', `${signatureWith('sha256', 'new')}, ${signatureWith('sha256', 'old')}`],
  ['that is empty', ''],
])('a signature %s is not believed', (_what, signature) => {
  expect(isSigned(BODY, signature, SECRETS)).toBe(false);
});

function signatureWith(algorithm: string, secret: string, body: string | Buffer = BODY): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;
}
