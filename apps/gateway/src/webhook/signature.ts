import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@nereid/config';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** Whether it has the form of a signature, which shows before the body is read. */
export function isSignature(text: string): boolean {
  return SIGNATURE.test(text);
}

/** Whether one of the secrets signed exactly these bytes: `sha256=<64 hex>`. The time it takes reveals nothing of a secret. */
export function isSigned(body: Buffer, signature: string, secrets: readonly Secret[]): boolean {
  const given = SIGNATURE.exec(signature)?.[1];
  if (given === undefined) return false;
  const digest = Buffer.from(given, 'hex');
  const matches = secrets.map((secret) => {
    return timingSafeEqual(createHmac('sha256', secret.reveal()).update(body).digest(), digest);
  });
  return matches.includes(true);
}
