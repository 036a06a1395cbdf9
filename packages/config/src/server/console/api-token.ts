/** Tokens of scripts, as they are made and kept. */
import { createHash, randomBytes } from 'node:crypto';

/** By which secret scanners and people know one. */
const PREFIX = 'nereid_';

/** 256 bits: nobody guesses one, so a plain hash is enough. */
const TOKEN_BYTES = 32;

export function newToken(): string {
  return `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** SHA-256, 64 hex digits. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
