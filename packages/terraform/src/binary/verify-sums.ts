import { createMessage, readKey, readSignature, verify, type PublicKey } from 'openpgp';
import { SumsNotSignedError } from '../errors.ts';

export interface SignedSums {
  /** Of the sums, for errors. */
  readonly url: string;
  readonly sums: Uint8Array;
  /** Detached, not armored, as vendors publish it. Absent: there is none. */
  readonly signature: Uint8Array | undefined;
  readonly armoredKey: string;
  /** What to do when there is none. */
  readonly whenMissing?: string;
}

/**
 * Throws `SumsNotSignedError` unless the key signed these bytes while it was valid: what was signed before the key expired
 * counts for ever, what a revoked key signed does not.
 */
export async function verifySums(signed: SignedSums): Promise<void> {
  const { url, sums, signature, armoredKey, whenMissing } = signed;
  const key = (await readKey({ armoredKey })).toPublic();
  const fingerprint = key.getFingerprint().toUpperCase();
  if (signature === undefined) throw new SumsNotSignedError(url, fingerprint, 'no signature beside it', whenMissing);
  try {
    await verifyAny(sums, signature, key);
  } catch (error) {
    throw new SumsNotSignedError(url, fingerprint, 'a signature that does not verify', undefined, { cause: error });
  }
}

/** A file may carry signatures of several keys. */
async function verifyAny(sums: Uint8Array, binarySignature: Uint8Array, verificationKeys: PublicKey): Promise<void> {
  const [message, signature] = await Promise.all([createMessage({ binary: sums }), readSignature({ binarySignature })]);
  const { signatures } = await verify({ message, signature, verificationKeys, format: 'binary' });
  // Without signatures, it rejects as well.
  await Promise.any(signatures.map(({ verified }) => verified));
}
