/**
 * Seals secrets for the hosts of a pool or for control, and opens them there: a compact JWE (RFC 7516) whose claims say what the
 * secret is for. Who knows the public half can seal too, so what is opened is believed only with a signature beside it.
 */
import type { KeyObject } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { publicKeyOf } from './keys.ts';
import { keyIdOf } from './signer.ts';

/** The purpose of a secret. Sealed for one deployment or request, it opens for no other. */
export interface SealPurpose {
  /** The id of the deployment, or of the request. */
  readonly subject: string;
  /** `owner/name`, or another word without a slash for what belongs to no repository. */
  readonly repository: string;
}

export interface SealedSecret {
  readonly secret: string;
  /** Milliseconds since 1970, a whole second. */
  readonly expiresAt: number;
}

export interface Sealer {
  /** Returns a compact JWE. */
  seal(purpose: SealPurpose, sealed: SealedSecret): Promise<string>;
}

export interface Opener {
  /** Throws an `UnopenableError`, unless it was sealed to one of our keys for exactly this, and is still good. */
  open(purpose: SealPurpose, text: string): Promise<SealedSecret>;
}

/** It was sealed to somebody else, for something else, is too old, or was changed. */
export class UnopenableError extends Error {
  override readonly name = 'UnopenableError';
  readonly code = 'UNOPENABLE';

  constructor(found: string, options?: ErrorOptions) {
    super(`expected a secret that was sealed for this process and for this, found ${found}`, options);
  }
}

/** Agreement on a key for each message, directly used: nothing but the holder of the private half gets it. */
const AGREEMENT = 'ECDH-ES';
const ENCRYPTION = 'A256GCM';
const TYPE = 'nereid-sealed';

/** Tokens of forges have some hundred characters; a proof of who somebody is may have 16 KiB before it is sealed. */
const TEXT_LIMIT = 24_576;

/** Seals to an X25519 public key. */
export function createSealer(publicKey: KeyObject): Sealer {
  const keyId = keyIdOf(publicKey);
  return {
    async seal({ subject, repository }, { secret, expiresAt }) {
      return new EncryptJWT({ secret })
        .setProtectedHeader({ alg: AGREEMENT, enc: ENCRYPTION, typ: TYPE, kid: await keyId })
        .setSubject(subject)
        .setAudience(repository)
        .setExpirationTime(Math.floor(expiresAt / 1_000))
        .encrypt(publicKey);
    },
  };
}

/** Opens with X25519 private keys: while they rotate, there are several. */
export function createOpener(privateKeys: readonly KeyObject[]): Opener {
  const keys = Promise.all(
    privateKeys.map(async (key): Promise<[string, KeyObject]> => [await keyIdOf(publicKeyOf(key)), key]),
  ).then((entries) => new Map(entries));

  return {
    async open({ subject, repository }, text) {
      if (typeof text !== 'string' || text.length > TEXT_LIMIT) throw new UnopenableError('no seal');
      const known = await keys;
      const keyOf = ({ kid }: { readonly kid?: unknown }): KeyObject => {
        const key = known.get(String(kid));
        if (key === undefined) throw new UnopenableError('a seal to a key that this process does not have');
        return key;
      };
      try {
        const { payload } = await jwtDecrypt(text, keyOf, {
          keyManagementAlgorithms: [AGREEMENT],
          contentEncryptionAlgorithms: [ENCRYPTION],
          typ: TYPE,
          subject,
          audience: repository,
          requiredClaims: ['exp', 'sub', 'aud'],
        });
        const { secret, exp = 0 } = payload;
        if (typeof secret !== 'string') throw new UnopenableError('a seal around no secret');
        return { secret, expiresAt: exp * 1_000 };
      } catch (error) {
        throw error instanceof UnopenableError ? error : new UnopenableError(foundIn(error));
      }
    },
  };
}

/** The errors of jose carry the opened payload, so none is passed on as a cause. */
function foundIn(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'one whose seal has expired; look at the clock of this machine';
  if (error instanceof errors.JWTClaimValidationFailed) return 'one that was sealed for something else';
  return 'no seal, or one that was changed';
}
