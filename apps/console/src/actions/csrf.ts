/**
 * The browser sends cookies, and reaches this machine, for every page in it. So a request of a browser counts only with a word that
 * our own pages hold and others cannot read.
 */
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { KnownVisitor } from '../login/visitor.ts';

export interface Csrf {
  tokenFor(visitor: KnownVisitor): string;
  isTokenOf(visitor: KnownVisitor, token: unknown): boolean;
}

/** All consoles of an installation have the key, so a page of one is good at another. */
export function createCsrf(signingKey: KeyObject): Csrf {
  const secret = signingKey.export({ type: 'pkcs8', format: 'der' });
  const tokenFor = ({ person: { login }, session = '' }: KnownVisitor) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['csrf', login.toLowerCase(), session]))
      .digest('base64url');
  return {
    tokenFor,
    isTokenOf(visitor, token) {
      if (typeof token !== 'string') return false;
      const [expected, found] = [tokenFor(visitor), token].map((text) => Buffer.from(text));
      return expected !== undefined && found?.length === expected.length && timingSafeEqual(expected, found);
    },
  };
}
