/** The kinds of variables that hold the keys of our own signatures, seals and identities, as PEM. */
import type { KeyObject } from 'node:crypto';
import { readPrivateKey, readPrivateKeys, readPublicKeys } from '@nereid/signature';
import { not, value, variable, type OptionalVariable, type Parsed } from './environment.ts';

export const keyVariables = {
  /** An Ed25519 private key as PEM. */
  privateKey: (name: string): OptionalVariable<KeyObject> =>
    variable(name, (text) => parseKey(readPrivateKey(text), 'an Ed25519 private key', `${name}_FILE`), true),

  /** Ed25519 public keys as PEM: one or, for rotation, several. */
  publicKeys: (name: string): OptionalVariable<readonly KeyObject[]> =>
    variable(name, (text) => parseKey(readPublicKeys(text), 'one or more Ed25519 public keys', `${name}_FILE`), true),

  /** X25519 private keys as PEM: one or, for rotation, several. */
  openingKeys: (name: string): OptionalVariable<readonly KeyObject[]> =>
    variable(
      name,
      (text) => parseKey(readPrivateKeys(text, 'seal'), 'one or more X25519 private keys', `${name}_FILE`),
      true,
    ),

  /** X25519 public keys as PEM; the value is the last, which is the newest where `nereid keys` added it. */
  sealingKey: (name: string): OptionalVariable<KeyObject> =>
    variable(
      name,
      (text) => parseKey(readPublicKeys(text, 'seal')?.at(-1), 'one or more X25519 public keys', `${name}_FILE`),
      true,
    ),

  /** An RSA private key as PEM, with which identities of roots are signed. */
  identityKey: (name: string): OptionalVariable<KeyObject> =>
    variable(
      name,
      (text) => parseKey(readPrivateKey(text, 'identity'), 'an RSA private key of 2048 bits or more', `${name}_FILE`),
      true,
    ),

  /** RSA public keys as PEM: one or, for rotation, several. */
  identityPublicKeys: (name: string): OptionalVariable<readonly KeyObject[]> =>
    variable(
      name,
      (text) =>
        parseKey(readPublicKeys(text, 'identity'), 'one or more RSA public keys of 2048 bits or more', `${name}_FILE`),
      true,
    ),
};

function parseKey<T>(key: T | undefined, expected: string, fileVariable: string): Parsed<T> {
  const remedy = `make all keys with: nereid keys FOLDER; set ${fileVariable} to the path of this one`;
  return key === undefined ? not(`${expected} as PEM`, { found: 'something else', remedy }) : value(key);
}
