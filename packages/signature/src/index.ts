/**
 * Signs what travels through Temporal, and verifies it where it counts: Temporal is a courier, and whoever reaches it can say
 * anything under any name.
 *
 * A signature stands beside the facts that it is about, as a JWS (RFC 7515) without its payload. The payload is the canonical
 * JSON (RFC 8785) of the facts, so a copy that went through another program is still the same.
 */
export { createKeyPair, publicKeyOf, readPrivateKey, readPublicKeys, type KeyPair } from './keys.ts';
export { ensureKeyFiles, KEY_PAIRS, type KeyPairFiles, type KeyPairName } from './key-files.ts';
export { createSigner, type SignedKind, type Signer } from './signer.ts';
export { createVerifier, ForgedError, type Verifier } from './verifier.ts';
