import { createPrivateKey } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createIdentityKeyPair,
  createKeyPair,
  createSealKeyPair,
  publicKeyOf,
  readPublicKeys,
  type KeyUse,
} from './keys.ts';

/**
 * Who has the private half: the gateway, the console, control workers, and the hosts of a pool. Control and hosts sign with one and
 * open with the other.
 */
export const KEY_PAIRS = ['gateway', 'console', 'orders', 'control-seal', 'pool', 'pool-seal'] as const;
export type KeyPairName = (typeof KEY_PAIRS)[number];

export interface KeyPairFiles {
  /** `<folder>/<name>-key.pem`, which only its owner can read. */
  readonly privateFile: string;
  /** `<folder>/<name>-key.pub.pem`. */
  readonly publicFile: string;
  readonly isNew: boolean;
  /** Whether the public half was added to its file. */
  readonly isPublicNew: boolean;
}

/** Both key pairs of the hosts of a pool. */
export interface PoolKeyFiles {
  readonly sign: KeyPairFiles;
  readonly seal: KeyPairFiles;
}

/** As `ensureKeyFiles`, for a pool with a name of its own: `<folder>/pool-<pool>-key.pem`, `<folder>/pool-<pool>-seal-key.pem`. */
export function ensurePoolKeyFiles(folder: string, pool: string): PoolKeyFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { sign: ensurePair(folder, `pool-${pool}`), seal: ensurePair(folder, `pool-${pool}-seal`, 'seal') };
}

/** As `ensureKeyFiles`, for the key of the tokens that clouds trade: `<folder>/identity-key.pem`. */
export function ensureIdentityKeyFiles(folder: string): KeyPairFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return ensurePair(folder, 'identity', 'identity');
}

const CREATE = { sign: createKeyPair, seal: createSealKeyPair, identity: createIdentityKeyPair } as const;

/** Makes the key pairs that are not there yet. An existing key is never overwritten: what it signed may still be under way. */
export function ensureKeyFiles(folder: string): Readonly<Record<KeyPairName, KeyPairFiles>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    gateway: ensurePair(folder, 'gateway'),
    console: ensurePair(folder, 'console'),
    orders: ensurePair(folder, 'orders'),
    'control-seal': ensurePair(folder, 'control-seal', 'seal'),
    pool: ensurePair(folder, 'pool'),
    'pool-seal': ensurePair(folder, 'pool-seal', 'seal'),
  };
}

function ensurePair(folder: string, name: string, use: KeyUse = 'sign'): KeyPairFiles {
  const privateFile = join(folder, `${name}-key.pem`);
  const publicFile = join(folder, `${name}-key.pub.pem`);
  const isNew = !existsSync(privateFile);
  if (isNew) writeFileSync(privateFile, CREATE[use]().privateKey, { mode: 0o600, flag: 'wx' });
  const own = publicKeyOf(createPrivateKey(readFileSync(privateFile, 'utf8')));
  // Older keys stay beside it: what they signed may still be under way.
  const known = existsSync(publicFile) ? (readPublicKeys(readFileSync(publicFile, 'utf8'), use) ?? []) : [];
  const isKnown = known.some((key) => key.equals(own));
  if (!isKnown) appendFileSync(publicFile, own.export({ type: 'spki', format: 'pem' }));
  return { privateFile, publicFile, isNew, isPublicNew: !isKnown };
}
