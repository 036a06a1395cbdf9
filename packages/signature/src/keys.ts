/** Keys as PEM: Ed25519 to sign, X25519 to seal, RSA for the tokens that clouds trade. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface KeyPair {
  /** PKCS #8 as PEM. */
  readonly privateKey: string;
  /** SPKI as PEM. */
  readonly publicKey: string;
}

/** For signatures. */
export function createKeyPair(): KeyPair {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

export function createSealKeyPair(): KeyPair {
  return generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** What clouds ask for at least. */
const RSA_BITS = 2_048;

export function createIdentityKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** The purpose of a key. */
export type KeyUse = 'sign' | 'seal' | 'identity';

const KEY_TYPE = { sign: 'ed25519', seal: 'x25519', identity: 'rsa' } as const;

export function publicKeyOf(privateKey: KeyObject): KeyObject {
  return createPublicKey(privateKey);
}

/** Undefined when the text is anything but one private key for this use. */
export function readPrivateKey(text: string, use: KeyUse = 'sign'): KeyObject | undefined {
  const [key, ...more] = readPrivateKeys(text, use) ?? [];
  return more.length === 0 ? key : undefined;
}

/** Undefined when the text is anything but private keys for this use, at least one. */
export function readPrivateKeys(text: string, use: KeyUse): readonly KeyObject[] | undefined {
  return readKeys(text, use, { label: 'PRIVATE KEY', read: createPrivateKey });
}

/** Undefined when the text is anything but public keys for this use, at least one. */
export function readPublicKeys(text: string, use: KeyUse = 'sign'): readonly KeyObject[] | undefined {
  return readKeys(text, use, { label: 'PUBLIC KEY', read: createPublicKey });
}

interface KeyHalf {
  readonly label: 'PRIVATE KEY' | 'PUBLIC KEY';
  readonly read: (pem: string) => KeyObject;
}

function readKeys(text: string, use: KeyUse, { label, read }: KeyHalf): readonly KeyObject[] | undefined {
  // Where a variable can have no line breaks, people write them as \n.
  const lines = text.replaceAll(String.raw`\n`, '\n');
  const blocks = lines.match(new RegExp(`-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----`, 'g')) ?? [];
  const rest = blocks.reduce((left, block) => left.replace(block, ''), lines);
  if (blocks.length === 0 || rest.trim() !== '') return undefined;
  try {
    const keys = blocks.map((block) => read(block));
    return keys.every((key) => isFor(key, use)) ? keys : undefined;
  } catch {
    // The text is no key. The error would name the part of the parser that failed.
    return undefined;
  }
}

function isFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, use: KeyUse): boolean {
  if (asymmetricKeyType !== KEY_TYPE[use]) return false;
  return use !== 'identity' || (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS;
}
