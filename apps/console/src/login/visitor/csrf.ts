/**
 * The browser sends cookies, and reaches this machine, for every page in it. So a request of a browser counts only with a word that
 * our own pages hold and others cannot read.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { ConsoleConfig } from '../../platform/config/config.ts';
import type { KnownVisitor } from './visitor.ts';

export interface Csrf {
  /** Another text each time. */
  tokenFor(visitor: KnownVisitor): string;
  isTokenOf(visitor: KnownVisitor, token: unknown): boolean;
}

/** All consoles of an installation have the secret, so a page of one is good at another. */
export function createCsrf(secret: Buffer): Csrf {
  const wordOf = ({ person: { login }, session = '' }: KnownVisitor) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['csrf', login.toLowerCase(), session]))
      .digest();
  return {
    // Pages are compressed: the length of an answer must not say how much of the word somebody has guessed.
    tokenFor(visitor) {
      const mask = randomBytes(WORD_BYTES);
      return Buffer.concat([mask, masked(wordOf(visitor), mask)]).toString('base64url');
    },
    isTokenOf(visitor, token) {
      if (typeof token !== 'string') return false;
      const found = Buffer.from(token, 'base64url');
      if (found.length !== 2 * WORD_BYTES) return false;
      const word = masked(found.subarray(WORD_BYTES), found.subarray(0, WORD_BYTES));
      return timingSafeEqual(wordOf(visitor), word);
    },
  };
}

/** Of SHA-256. */
const WORD_BYTES = 32;

/** Its own inverse. */
function masked(word: Buffer, mask: Buffer): Buffer {
  return Buffer.from(word.map((byte, index) => byte ^ (mask[index] ?? 0)));
}

/** Whether a request that changes something came from our own page. */
export function isOwn(csrf: Csrf, visitor: KnownVisitor, request: Request): boolean {
  return !isForeign(request) && csrf.isTokenOf(visitor, wordIn(request));
}

/**
 * What the browser says of the page that asks. Without `Sec-Fetch-Site`, which browsers send since 2023, there is `Origin`; our
 * pages send no referrer, and then a form's is `null`.
 */
function isForeign(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  const origin = request.get('origin');
  if (origin === undefined || origin === 'null') return false;
  return URL.parse(origin)?.host !== request.get('host');
}

/** In a header from our script, in the body from a form. */
function wordIn(request: Request): unknown {
  const body: unknown = request.body;
  const inForm: unknown = typeof body === 'object' && body !== null && 'csrf' in body ? body.csrf : undefined;
  return request.get('x-csrf-token') ?? inForm;
}

/** A secret that all consoles of an installation have. Where they have nothing, each is one of its own. */
export function csrfSecretOf({
  requestKeys,
  login: { sessionKeys },
}: Pick<ConsoleConfig, 'requestKeys' | 'login'>): Buffer {
  const [newest] = sessionKeys;
  if (newest !== undefined) return Buffer.from(hkdfSync('sha256', newest.reveal(), '', 'nereid-csrf', SECRET_BYTES));
  return requestKeys?.signing.export({ type: 'pkcs8', format: 'der' }) ?? randomBytes(SECRET_BYTES);
}

const SECRET_BYTES = 32;
