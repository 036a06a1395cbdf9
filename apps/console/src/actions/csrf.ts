/**
 * The browser sends cookies, and reaches this machine, for every page in it. So a request of a browser counts only with a word that
 * our own pages hold and others cannot read.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { KnownVisitor } from '../login/visitor.ts';

export interface Csrf {
  tokenFor(visitor: KnownVisitor): string;
  isTokenOf(visitor: KnownVisitor, token: unknown): boolean;
}

/** All consoles of an installation have the secret, so a page of one is good at another. */
export function createCsrf(secret: Buffer): Csrf {
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

/** Whether a request that changes something came from our own page. */
export function isOwn(csrf: Csrf, visitor: KnownVisitor, request: Request): boolean {
  return !isForeign(request) && csrf.isTokenOf(visitor, wordOf(request));
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
function wordOf(request: Request): unknown {
  const body: unknown = request.body;
  const inForm: unknown = typeof body === 'object' && body !== null && 'csrf' in body ? body.csrf : undefined;
  return request.get('x-csrf-token') ?? inForm;
}
