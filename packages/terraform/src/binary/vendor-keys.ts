import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Distribution } from '../errors.ts';

/** Armored OpenPGP public keys. */
export type VendorKeys = Readonly<Record<Distribution, string>>;

const KEYS = path.join(import.meta.dirname, '../../keys');

/**
 * The armored key with which the vendor signs its releases: HashiCorp's C874011F0AB405110D02105534365D9472D7468F, with both
 * of its terms (2021 to 2026, and to March 2030), and OpenTofu's E3E6E43D84CB852EADB0051D0C0AF313E5FD9F80, which has none.
 * Subkeys for encryption are left out. `gpg --show-keys` prints what a file holds.
 */
export async function readVendorKey(distribution: Distribution): Promise<string> {
  return readFile(path.join(KEYS, distribution === 'terraform' ? 'hashicorp.asc' : 'opentofu.asc'), 'utf8');
}
