/**
 * Tokens by which others know who asks (OpenID Connect, RFC 7519). A service that trades them knows the URL of the issuer, and nothing else
 * of this installation. They are signed with RSA, which AWS, Google and Azure all take.
 */
import { randomUUID, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { publicKeyOf } from '../keys.ts';
import { keyIdOf } from '../signer.ts';

export interface Issuer {
  issue(identity: IssuedIdentity): Promise<IssuedToken>;
}

export interface IssuedIdentity {
  readonly subject: string;
  readonly audience: string;
  readonly lifeMs: number;
  /** None of those that RFC 7519 gives a meaning. */
  readonly claims: Readonly<Record<string, string>>;
}

export interface IssuedToken {
  /** A secret. */
  readonly value: string;
  /** Milliseconds since 1970, a whole second. */
  readonly expiresAt: number;
}

export interface IssuerOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** RSA. */
  readonly privateKey: KeyObject;
}

export const IDENTITY_ALGORITHM = 'RS256';

/** Clocks differ, and Google takes no token of the future. */
const EARLIER_S = 30;

export function createIssuer({ url, privateKey }: IssuerOptions): Issuer {
  const keyId = keyIdOf(publicKeyOf(privateKey));
  return {
    async issue({ subject, audience, lifeMs, claims }) {
      const now = Math.floor(Date.now() / 1_000);
      const expiresAt = now + Math.ceil(lifeMs / 1_000);
      const value = await new SignJWT(claims)
        .setProtectedHeader({ alg: IDENTITY_ALGORITHM, typ: 'JWT', kid: await keyId })
        .setIssuer(url)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(now - EARLIER_S)
        .setNotBefore(now - EARLIER_S)
        .setExpirationTime(expiresAt)
        .setJti(randomUUID())
        .sign(privateKey);
      return { value, expiresAt: expiresAt * 1_000 };
    },
  };
}
