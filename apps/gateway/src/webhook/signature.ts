import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@nereid/config';

/** Whether one of the secrets signed exactly these bytes: `sha256=<64 hex>`. The time it takes reveals nothing of a secret. */
export function isSigned(body: Buffer, signature: string, secrets: readonly Secret[]): boolean {
  const given = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (given === undefined) return false;
  const digest = Buffer.from(given, 'hex');
  const matches = secrets.map((secret) => {
    return timingSafeEqual(createHmac('sha256', secret.reveal()).update(body).digest(), digest);
  });
  return matches.includes(true);
}
