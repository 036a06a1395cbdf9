/**
 * The signatures of a worker: which key signs what, and whose signature is believed. A process has only the keys of its roles:
 * what it cannot sign, nobody who takes it over can sign either.
 */
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
import { filedKeysOf, ownKeysOf, type PoolsConfig } from './pool-keys.ts';
import type { KeyHalves, SigningKeys } from './worker-keys.ts';

/** Whatever is forged is logged and counted. */
export interface Signatures extends Signer {
  /** Throws a `ForgedError`, as a `Verifier` does. */
  verify(kind: OwnKind, facts: object, signature: string | undefined): Promise<void>;
  /** The same for what a host of this pool says: hosts of others cannot say it. */
  verifyOfPool(pool: string, kind: HostKind, facts: object, signature: string | undefined): Promise<void>;
  /** For what is signed, but about something else. Returns the error to throw. */
  forged(kind: SignedKind, why: string, deploymentId: string): ForgedError;
}

export interface SignaturesOptions {
  readonly keys: SigningKeys;
  /** The pool of this host. */
  readonly pool: string;
  /** Its pools change when the file is reloaded. */
  readonly server: { current(): PoolsConfig };
  readonly logger: Pick<Logger, 'error'>;
  /** `about` is the id that was named: hostile, at most 100 characters. */
  readonly onForged: (error: ForgedError, about: string) => void;
}

/** What is forged may be of any size. */
const ID_LIMIT = 100;

/** The holder of the key for each kind. */
const HOLDER = {
  event: 'gateway',
  request: 'console',
  order: 'orders',
  preview: 'orders',
  review: 'orders',
  'merge-review': 'orders',
  override: 'orders',
  go: 'orders',
  claim: 'pool',
  plan: 'pool',
  outcome: 'pool',
  action: 'orders',
  token: 'orders',
  'identity-token': 'orders',
  access: 'orders',
  'force-unlock': 'orders',
  'force-unlocked': 'pool',
  notice: 'orders',
  cancel: 'orders',
  unlock: 'orders',
  failure: 'pool',
  'late-outcome': 'pool',
} as const satisfies Record<SignedKind, string>;

/** Everything that can be forged. */
export const SIGNED_KINDS: readonly string[] = Object.keys(HOLDER);

/** What hosts sign. */
export type HostKind = { [Kind in SignedKind]: (typeof HOLDER)[Kind] extends 'pool' ? Kind : never }[SignedKind];

/** What the gateway, the console and control sign. */
export type OwnKind = Exclude<SignedKind, HostKind>;

export function createSignatures(options: SignaturesOptions): Signatures {
  const { keys, logger, onForged } = options;
  const { gateway, orders, pool } = keys;
  const signers = { gateway: undefined, console: undefined, orders: signerOf(orders), pool: signerOf(pool) };
  const verifiers = {
    gateway: createVerifier(gateway),
    console: createVerifier(keys.console),
    orders: verifierOf(orders),
  };
  const verifierOfPool = createPoolVerifiers(options);

  function reportForged(error: ForgedError, about: string): void {
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
      reportForged(error, deploymentId);
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
    verify: (kind, facts, signature) => verifyWith(verifiers[HOLDER[kind]], kind, facts, signature),
    verifyOfPool: (name, kind, facts, signature) => verifyWith(verifierOfPool(name), kind, facts, signature),
  };

  async function verifyWith(
    verifier: Verifier,
    kind: SignedKind,
    facts: object,
    signature: string | undefined,
  ): Promise<void> {
    try {
      await verifier.verify(kind, facts, signature);
    } catch (error) {
      if (error instanceof ForgedError) reportForged(error, idOf(facts));
      throw error;
    }
  }
}

/** Of each pool one, made when it is first asked for, and anew when the server's file has other pools. */
function createPoolVerifiers({ keys, pool, server }: SignaturesOptions): (name: string) => Verifier {
  let { pools } = server.current();
  const known = new Map<string, Verifier>();
  return (name) => {
    const current = server.current();
    if (current.pools !== pools) known.clear();
    ({ pools } = current);
    const own = ownKeysOf({ pool, keys: keys.pool }, name);
    const verifier = known.get(name) ?? createVerifier([...own, ...filedKeysOf(current, name)]);
    // Names come through Temporal: only those of our pools are kept.
    if (own.length > 0 || pools.some((each) => each.name === name)) known.set(name, verifier);
    return verifier;
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
