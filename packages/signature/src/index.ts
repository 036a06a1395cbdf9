/**
 * Signs what travels through Temporal, verifies it where it counts, and seals what nobody else may read: Temporal is a courier,
 * and whoever reaches it can read everything and say anything under any name.
 *
 * A signature stands beside the body of its envelope, as a JWS (RFC 7515) without its payload. The payload is the canonical JSON
 * (RFC 8785) of this body, so a copy that went through another program is still the same.
 */
export {
  createIdentityKeyPair,
  createKeyPair,
  createSealKeyPair,
  publicKeyOf,
  readPrivateKey,
  readPrivateKeys,
  readPublicKeys,
  type KeyPair,
} from './keys.ts';
export { issuerDocuments, type IssuerDocument } from './identity/issuer-documents.ts';
export {
  createIssuer,
  type IssuedIdentity,
  type IssuedToken,
  type Issuer,
  type IssuerOptions,
} from './identity/issuer.ts';
export {
  ensureIdentityKeyFiles,
  ensureKeyFiles,
  ensurePoolKeyFiles,
  KEY_PAIRS,
  type KeyPairFiles,
  type KeyPairName,
  type PoolKeyFiles,
} from './key-files.ts';
export {
  createOpener,
  createSealer,
  UnopenableError,
  type Opener,
  type SealedSecret,
  type Sealer,
  type SealPurpose,
} from './seal.ts';
export { encloseBody } from './envelope/enclose.ts';
export { NewerVersionError, openEnvelope } from './envelope/open.ts';
export type { Proven } from './envelope/proven.ts';
export { digestOf } from './payload.ts';
export { createSigner, type Signer } from './signer.ts';
export { createVerifier, ForgedError, type Verifier } from './verifier.ts';
