/**
 * Seals what a browser or a program keeps for us: nobody can read it, change it, or make one. All consoles with the key can open
 * it.
 */
import { createHash, hkdfSync } from 'node:crypto';
import type { Secret } from '@nereid/config';
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose';

/** A text that is sealed for one of them counts for no other. */
export type SealedPurpose = 'session' | 'login' | 'device' | 'terminal-session';

export interface Sealer {
  /** Returns a compact JWE. */
  seal(purpose: SealedPurpose, claims: JWTPayload, lifeS: number): Promise<string>;
  /** Undefined for anything that we did not seal, for another purpose or another installation, or that is too old. */
  open(purpose: SealedPurpose, text: string): Promise<JWTPayload | undefined>;
}

const ENCRYPTION = 'A256GCM';
const KEY_BYTES = 32;

/** The first key seals; all of them open, so that keys rotate. `audience` names the installation and its login. */
export function createSealer(secrets: readonly Secret[], audience: string): Sealer {
  const keys = secrets.map(keyFrom);
  const [newest] = keys;
  return {
    async seal(purpose, claims, lifeS) {
      if (newest === undefined) throw new Error('expected a key for sessions, found none; set SESSION_KEY');
      const nowS = Math.floor(Date.now() / 1_000);
      return new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: ENCRYPTION, typ: typeOf(purpose), kid: newest.id })
        .setAudience(audience)
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + lifeS)
        .encrypt(newest.bytes);
    },
    async open(purpose, text) {
      const keyOf = ({ kid }: { readonly kid?: unknown }) => {
        const key = keys.find(({ id }) => id === kid);
        if (key === undefined) throw new errors.JWEDecryptionFailed();
        return key.bytes;
      };
      const options = {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: [ENCRYPTION],
        typ: typeOf(purpose),
        audience,
        requiredClaims: ['exp', 'iat'],
      };
      try {
        return (await jwtDecrypt(text, keyOf, options)).payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** Another one than the secret itself, so that it can be told apart in public. */
function keyFrom(secret: Secret): { readonly id: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(hkdfSync('sha256', secret.reveal(), '', 'nereid-session', KEY_BYTES));
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { id, bytes };
}

function typeOf(purpose: SealedPurpose): string {
  return `nereid-${purpose}`;
}
