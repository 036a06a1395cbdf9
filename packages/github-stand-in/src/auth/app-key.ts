import { generateKeyPairSync } from 'node:crypto';

/** A new key of an App: both halves as PEM, the private one in the form and of the size that GitHub gives. */
export function makeAppKey(): { readonly publicKey: string; readonly privateKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
}
