import type { KeyObject } from 'node:crypto';
import type { EnvelopeKind } from '@nereid/domain/envelope';
import { calculateJwkThumbprint, CompactSign, exportJWK } from 'jose';
import { publicKeyOf } from './keys.ts';
import { payloadOf } from './payload.ts';

/** What a signature is about. One made for a review is none for an order, whatever the facts are. */
export type SignedKind = EnvelopeKind | FactsKind;

/** What a host signs beside its message: a function `…Facts` lists what counts of it. */
export type FactsKind = 'plan' | 'outcome' | 'failure';

export interface Signer {
  /** Returns a compact JWS with an empty payload. */
  sign(kind: SignedKind, facts: object): Promise<string>;
}

export const ALGORITHM = 'EdDSA';

export function typeOf(kind: SignedKind): string {
  return `nereid-${kind}`;
}

export function keyIdOf(key: KeyObject): Promise<string> {
  return exportJWK(key).then((jwk) => calculateJwkThumbprint(jwk));
}

/** Signs with an Ed25519 private key. */
export function createSigner(privateKey: KeyObject): Signer {
  const keyId = keyIdOf(publicKeyOf(privateKey));
  return {
    async sign(kind, facts) {
      const header = { alg: ALGORITHM, typ: typeOf(kind), kid: await keyId };
      const jws = await new CompactSign(payloadOf(facts)).setProtectedHeader(header).sign(privateKey);
      const [protectedHeader = '', , signature = ''] = jws.split('.');
      return `${protectedHeader}..${signature}`;
    },
  };
}
