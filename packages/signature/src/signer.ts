import type { KeyObject } from 'node:crypto';
import type { EnvelopeKind } from '@nereid/domain/envelope';
import { calculateJwkThumbprint, CompactSign, exportJWK } from 'jose';
import { publicKeyOf } from './keys.ts';
import { payloadOf } from './payload.ts';

export interface Signer {
  /** Returns a compact JWS with an empty payload. One made for a review is none for an order, whatever the body is. */
  sign(kind: EnvelopeKind, body: object): Promise<string>;
}

export const ALGORITHM = 'EdDSA';

export function typeOf(kind: EnvelopeKind): string {
  return `nereid-${kind}`;
}

export function keyIdOf(key: KeyObject): Promise<string> {
  return exportJWK(key).then((jwk) => calculateJwkThumbprint(jwk));
}

/** Signs with an Ed25519 private key. */
export function createSigner(privateKey: KeyObject): Signer {
  const keyId = keyIdOf(publicKeyOf(privateKey));
  return {
    async sign(kind, body) {
      const header = { alg: ALGORITHM, typ: typeOf(kind), kid: await keyId };
      const jws = await new CompactSign(payloadOf(body)).setProtectedHeader(header).sign(privateKey);
      const [protectedHeader = '', , signature = ''] = jws.split('.');
      return `${protectedHeader}..${signature}`;
    },
  };
}
