/** The keys that a worker has in its environment. */
import type { KeyObject } from 'node:crypto';

export interface SigningKeys {
  /** Public keys of the gateway. */
  readonly gateway: readonly KeyObject[];
  /** Public keys of the console; empty where it only reads. */
  readonly console: readonly KeyObject[];
  readonly orders: KeyHalves;
  /** The private key is that of the pool of this host; the public ones are those of `default`. */
  readonly pool: KeyHalves;
}

/** Signatures of all of these keys are believed: while keys rotate, there are several. */
export interface KeyHalves {
  /** Undefined where this process does not sign. */
  readonly privateKey: KeyObject | undefined;
  readonly publicKeys: readonly KeyObject[];
}

/** The halves of X25519 keys: control seals with one what hosts open with the other. */
export interface SealKeys {
  /** Of the pool `default`. */
  readonly publicKey: KeyObject | undefined;
  /** While keys rotate, there are several. */
  readonly privateKeys: readonly KeyObject[];
}
