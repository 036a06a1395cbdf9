import type { KeyObject } from 'node:crypto';
import { DEFAULT_POOL } from '@nereid/domain/root';

/** The newest key of a pool; undefined when this worker knows none. */
export type SealKeyOf = (pool: string) => KeyObject | undefined;

/** Throws a `NoSealKeyError`: no host of this pool could open what is sealed. */
export function sealKeyFor(sealKeyOf: SealKeyOf, pool: string): KeyObject {
  const key = sealKeyOf(pool);
  if (key === undefined) throw new NoSealKeyError(pool);
  return key;
}

class NoSealKeyError extends Error {
  override readonly name = 'NoSealKeyError';
  readonly code = 'NO_SEAL_KEY';

  constructor(pool: string) {
    const place =
      pool === DEFAULT_POOL
        ? 'in POOL_SEAL_PUBLIC_KEY of the control workers'
        : `as seal_public_key of the pool ${pool} in the server's file of the control workers`;
    super(
      `expected the public key to which tokens for hosts are sealed, ${place}, found nothing; set it, or give the host the key of the App`,
    );
  }
}
