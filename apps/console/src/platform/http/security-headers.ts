import type { NextFunction, Request, Response } from 'express';

/** Only our own files, forms to ourselves, no frames: a script that slips through escaping still cannot run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The address of a page carries its key, so it must not leak: no referrer, no cache. */
export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  next();
}
