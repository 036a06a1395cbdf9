/**
 * The signatures of a worker: which key signs what, and whose signature is believed. A process has only the keys of its roles:
 * what it cannot sign, nobody who takes it over can sign either.
 */
import type { KeyObject } from 'node:crypto';
import {
  createSigner,
  createVerifier,
  ForgedError,
  publicKeyOf,
  type SignedKind,
  type Signer,
  type Verifier,
} from '@nereid/signature';
import type { Logger } from 'pino';

export interface SigningKeys {
  /** Public keys of the gateway. */
  readonly gateway: readonly KeyObject[];
  readonly orders: KeyHalves;
  readonly pool: KeyHalves;
}

/** Signatures of all of these keys are believed: while keys rotate, there are several. */
export interface KeyHalves {
  /** Undefined where this process does not sign. */
  readonly privateKey: KeyObject | undefined;
  readonly publicKeys: readonly KeyObject[];
}

/** Whatever is forged is logged and counted. */
export interface Signatures extends Signer, Verifier {
  /** For what is signed, but about something else. Returns the error to throw. */
  forged(kind: SignedKind, why: string, deploymentId: string): ForgedError;
}

export interface SignaturesOptions {
  readonly keys: SigningKeys;
  readonly logger: Pick<Logger, 'error'>;
  /** `about` is the id that was named: hostile, at most 100 characters. */
  readonly onForged: (error: ForgedError, about: string) => void;
}

/** What is forged may be of any size. */
const ID_LIMIT = 100;

/** The holder of the key for each kind. */
const HOLDER = {
  event: 'gateway',
  order: 'orders',
  preview: 'orders',
  review: 'orders',
  'merge-review': 'orders',
  override: 'orders',
  go: 'orders',
  plan: 'pool',
  outcome: 'pool',
  action: 'orders',
  token: 'orders',
  'force-unlock': 'orders',
  'force-unlocked': 'pool',
  notice: 'orders',
  cancel: 'orders',
  unlock: 'orders',
  failure: 'pool',
  'late-outcome': 'pool',
} as const;

export function createSignatures({ keys: { gateway, orders, pool }, logger, onForged }: SignaturesOptions): Signatures {
  const signers = { gateway: undefined, orders: signerOf(orders), pool: signerOf(pool) };
  const verifiers = { gateway: createVerifier(gateway), orders: verifierOf(orders), pool: verifierOf(pool) };

  function tell(error: ForgedError, about: string): void {
    const short = about.slice(0, ID_LIMIT);
    onForged(error, short);
    logger.error(
      { err: error, kind: error.kind, about: short },
      'somebody who reaches Temporal poses as another one, or a key is not known here',
    );
  }

  return {
    forged(kind, why, deploymentId) {
      const error = new ForgedError(kind, why);
      tell(error, deploymentId);
      return error;
    },
    sign(kind, facts) {
      const signer = signers[HOLDER[kind]];
      if (signer === undefined)
        throw new Error(
          `expected a key that signs each ${kind}, found that this process has none; look at its role and its keys`,
        );
      return signer.sign(kind, facts);
    },
    async verify(kind, facts, signature) {
      try {
        await verifiers[HOLDER[kind]].verify(kind, facts, signature);
      } catch (error) {
        if (error instanceof ForgedError) tell(error, idOf(facts));
        throw error;
      }
    },
  };
}

function idOf(facts: object): string {
  const id = Object.entries(facts).find(([name]) =>
    ['id', 'deploymentId', 'delivery', 'forceUnlockId'].includes(name),
  )?.[1] as unknown;
  return String(id);
}

function signerOf({ privateKey }: KeyHalves): Signer | undefined {
  return privateKey && createSigner(privateKey);
}

function verifierOf({ privateKey, publicKeys }: KeyHalves): Verifier {
  return createVerifier([...(privateKey ? [publicKeyOf(privateKey)] : []), ...publicKeys]);
}
