/**
 * The signatures of a worker: which key signs what, and whose signature is believed. A process has only the keys of its roles:
 * what it cannot sign, nobody who takes it over can sign either.
 */
import { holderOf, type AboutOf, type BodyOf, type EnvelopeKind } from '@nereid/domain/envelope';
import type { Signed } from '@nereid/domain/signed';
import {
  createSigner,
  createVerifier,
  encloseBody,
  ForgedError,
  openEnvelope,
  publicKeyOf,
  type Proven,
  type Signer,
  type Verifier,
} from '@nereid/signature';
import { filedKeysOf, ownKeysOf, type PoolsConfig } from './pool-keys.ts';
import type { KeyHalves, SigningKeys } from './worker-keys.ts';

/** Whatever is forged is an event. */
export interface Signatures {
  /** Signs a body in its envelope. Throws when this process has no key for it. */
  enclose<Kind extends EnvelopeKind>(kind: Kind, body: BodyOf<Kind>): Promise<Signed<BodyOf<Kind>>>;
  /** As `openEnvelope`. A host's word is verified with the keys of the pool that `about` names. */
  open<Kind extends EnvelopeKind>(
    kind: Kind,
    signed: Signed<BodyOf<Kind>> | undefined,
    about: AboutOf<Kind>,
  ): Promise<Proven<BodyOf<Kind>>>;
  /** The same, and undefined when it is forged. */
  openIfGenuine<Kind extends EnvelopeKind>(
    kind: Kind,
    signed: Signed<BodyOf<Kind>> | undefined,
    about: AboutOf<Kind>,
  ): Promise<Proven<BodyOf<Kind>> | undefined>;
  /** For what is signed, but about something else. Returns the error to throw. */
  forged(kind: EnvelopeKind, why: string, deploymentId: string): ForgedError;
}

export interface SignaturesOptions {
  readonly keys: SigningKeys;
  /** The pool of this host. */
  readonly pool: string;
  /** Its pools change when the file is reloaded. */
  readonly server: { current(): PoolsConfig };
  /** `about` is the id that was named: hostile, at most 100 characters. */
  readonly onForged: (error: ForgedError, about: string) => void;
}

/** What is forged may be of any size. */
const ID_LIMIT = 100;

export function createSignatures(options: SignaturesOptions): Signatures {
  const { keys, onForged } = options;
  const { gateway, orders, pool } = keys;
  const signers = { gateway: undefined, console: undefined, orders: signerOf(orders), pool: signerOf(pool) };
  const verifiers = {
    gateway: createVerifier(gateway),
    console: createVerifier(keys.console),
    orders: verifierOf(orders),
  };
  const verifierOfPool = createPoolVerifiers(options);

  function reportForged(error: ForgedError, about: string): void {
    onForged(error, about.slice(0, ID_LIMIT));
  }

  return {
    forged(kind, why, deploymentId) {
      const error = new ForgedError(kind, why);
      reportForged(error, deploymentId);
      return error;
    },
    enclose: async (kind, body) => encloseBody(signerFor(kind), kind, body),
    open,
    openIfGenuine: (kind, signed, about) => undefinedIfForged(open(kind, signed, about)),
  };

  function open<Kind extends EnvelopeKind>(
    kind: Kind,
    signed: Signed<BodyOf<Kind>> | undefined,
    about: AboutOf<Kind>,
  ): Promise<Proven<BodyOf<Kind>>> {
    return reported(openEnvelope(verifierFor(kind, about), kind, signed, about), signed?.body ?? {});
  }

  function signerFor(kind: EnvelopeKind): Signer {
    const signer = signers[holderOf(kind)];
    if (signer !== undefined) return signer;
    throw new Error(
      `expected a key that signs each ${kind}, found that this process has none; look at its role and its keys`,
    );
  }

  function verifierFor(kind: EnvelopeKind, about: object): Verifier {
    const holder = holderOf(kind);
    if (holder !== 'pool') return verifiers[holder];
    return verifierOfPool('pool' in about ? String(about.pool) : '');
  }

  async function reported<T>(verifying: Promise<T>, about: object): Promise<T> {
    try {
      return await verifying;
    } catch (error) {
      if (error instanceof ForgedError) reportForged(error, idOf(about));
      throw error;
    }
  }
}

/** One for each pool, made when it is first asked for, and again when the server's file has other pools. */
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

/** A forgery has been logged and counted. */
export async function undefinedIfForged<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof ForgedError) return undefined;
    throw error;
  }
}

/** What is forged may be large, and anything: also an object that is no text. */
function idOf(facts: object): string {
  const name = ID_FIELDS.find((field) => Object.hasOwn(facts, field));
  const id = name && (facts as Readonly<Record<string, unknown>>)[name];
  return typeof id === 'string' ? id : typeof id;
}

const ID_FIELDS = ['id', 'deploymentId', 'previewId', 'delivery', 'forceUnlockId', 'waveCheckId'] as const;

function signerOf({ privateKey }: KeyHalves): Signer | undefined {
  return privateKey && createSigner(privateKey);
}

function verifierOf({ privateKey, publicKeys }: KeyHalves): Verifier {
  return createVerifier([...(privateKey ? [publicKeyOf(privateKey)] : []), ...publicKeys]);
}
