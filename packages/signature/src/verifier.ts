import type { KeyObject } from 'node:crypto';
import type { EnvelopeKind } from '@nereid/domain/envelope';
import { base64url, compactVerify, errors } from 'jose';
import { payloadOf } from './payload.ts';
import { ALGORITHM, keyIdOf, typeOf } from './signer.ts';

/** Somebody else made this up, changed it, or used a signature for something it is not about. */
export class ForgedError extends Error {
  override readonly name = 'ForgedError';
  readonly code = 'FORGED';
  readonly kind: EnvelopeKind;

  constructor(kind: EnvelopeKind, why: string, options?: ErrorOptions) {
    super(`expected the ${kind} to be signed, found ${why}`, options);
    this.kind = kind;
  }
}

export interface Verifier {
  /** Throws a `ForgedError` unless one of the keys signed exactly this body as this kind. */
  verify(kind: EnvelopeKind, body: object, signature: string | undefined): Promise<void>;
}

/**
 * A header, no payload, and the 64 bytes of Ed25519. Nothing may stand between or behind them: others read parts of it, too.
 * Four bits of the last character belong to no byte. They are zero, or each signature could be spelt in 16 ways.
 */
const FORM = /^(?<header>[\w-]{1,900})\.\.(?<bytes>[\w-]{85}[AQgw])$/;

/** With several keys, each of them counts: an older one is on its way out, a newer one is not in use everywhere. */
export function createVerifier(publicKeys: readonly KeyObject[]): Verifier {
  const keys = Promise.all(publicKeys.map(async (key) => [await keyIdOf(key), key] as const)).then(
    (entries) => new Map(entries),
  );

  return {
    async verify(kind, body, signature) {
      // What came over the wire is not what the type promises.
      if (typeof signature !== 'string') throw new ForgedError(kind, 'no signature');
      const { header, bytes } = FORM.exec(signature)?.groups ?? {};
      if (header === undefined || bytes === undefined) throw new ForgedError(kind, 'a signature of another form');
      const known = await keys;
      try {
        const { protectedHeader } = await compactVerify(
          `${header}.${base64url.encode(payloadOf(body))}.${bytes}`,
          ({ kid = '' }) => known.get(kid) ?? Promise.reject(new UnknownKeyError(kid)),
          { algorithms: [ALGORITHM] },
        );
        if (protectedHeader.typ !== typeOf(kind))
          throw new ForgedError(kind, `a signature of the type ${String(protectedHeader.typ).slice(0, 40)}`);
      } catch (error) {
        if (error instanceof UnknownKeyError) throw new ForgedError(kind, error.message, { cause: error });
        if (error instanceof errors.JOSEError)
          throw new ForgedError(kind, 'a signature of something else', { cause: error });
        throw error;
      }
    },
  };
}

class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
  readonly code = 'UNKNOWN_KEY';

  constructor(keyId: string) {
    super(`the signature of a key that is not known here: ${keyId.slice(0, 50)}`);
  }
}
