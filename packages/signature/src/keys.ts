/** Ed25519 keys as PEM. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface KeyPair {
  /** PKCS #8 as PEM. */
  readonly privateKey: string;
  /** SPKI as PEM. */
  readonly publicKey: string;
}

export function createKeyPair(): KeyPair {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

export function publicKeyOf(privateKey: KeyObject): KeyObject {
  return createPublicKey(privateKey);
}

/** Undefined when the text is anything but one private key of this type. */
export function readPrivateKey(text: string): KeyObject | undefined {
  const [key, ...more] = readKeys(text, 'PRIVATE KEY', createPrivateKey) ?? [];
  return more.length === 0 ? key : undefined;
}

/** Undefined when the text is anything but public keys of this type, at least one. */
export function readPublicKeys(text: string): readonly KeyObject[] | undefined {
  return readKeys(text, 'PUBLIC KEY', createPublicKey);
}

function readKeys(
  text: string,
  label: 'PRIVATE KEY' | 'PUBLIC KEY',
  read: (pem: string) => KeyObject,
): readonly KeyObject[] | undefined {
  // Where a variable can have no line breaks, people write them as \n.
  const lines = text.replaceAll(String.raw`\n`, '\n');
  const blocks = lines.match(new RegExp(`-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----`, 'g')) ?? [];
  const rest = blocks.reduce((left, block) => left.replace(block, ''), lines);
  if (blocks.length === 0 || rest.trim() !== '') return undefined;
  try {
    const keys = blocks.map((block) => read(block));
    return keys.every(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519') ? keys : undefined;
  } catch {
    // The text is no key. The error would name the part of the parser that failed.
    return undefined;
  }
}
