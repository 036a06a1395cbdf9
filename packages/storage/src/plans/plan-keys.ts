import { createHash, hkdfSync } from 'node:crypto';

/** AES-256. */
export const KEY_BYTES = 32;

/** The keys of kept plans: the first encrypts, any decrypts, so that a key can be replaced while plans are waiting. */
export interface PlanKeys {
  readonly newest: PlanKey;
  byId(id: string): PlanKey | undefined;
}

export interface PlanKey {
  /** 16 hex digits that name the key and reveal nothing about it. */
  readonly id: string;
  /** A key for only one kept plan, so that no two plans are encrypted with the same key and nonces. */
  derive(salt: Uint8Array): Uint8Array;
}

/** Throws `InvalidPlanKeyError` unless there is at least one key and all are 32 bytes. */
export function createPlanKeys(keys: readonly Uint8Array[]): PlanKeys {
  const all = keys.map(createPlanKey);
  const [newest] = all;
  if (newest === undefined) throw new InvalidPlanKeyError('none is given');
  return { newest, byId: (id) => all.find((key) => key.id === id) };
}

export class InvalidPlanKeyError extends Error {
  override readonly name = 'InvalidPlanKeyError';
  readonly code = 'INVALID_PLAN_KEY';

  constructor(why: string) {
    super(`kept plans need at least one key of ${KEY_BYTES} bytes: ${why}`);
  }
}

function createPlanKey(key: Uint8Array): PlanKey {
  if (key.length !== KEY_BYTES) throw new InvalidPlanKeyError(`one has ${key.length} bytes`);
  return {
    id: createHash('sha256').update('nereid plan key id').update(key).digest('hex').slice(0, 16),
    derive: (salt) => new Uint8Array(hkdfSync('sha256', key, salt, 'nereid kept plan', KEY_BYTES)),
  };
}
