/**
 * Certificates with which Temporal and its clients know each other. Nobody without one gets an answer from Temporal's port, so
 * code of a root cannot talk to it from the worker's network.
 */
import { webcrypto, type webcrypto as Web } from 'node:crypto';
// The library that makes certificates needs it.
import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
} from '@peculiar/x509';

/** One for each process, so that one of them can be replaced alone. */
export const TEMPORAL_CLIENTS = ['gateway', 'worker', 'console', 'temporal-ui'] as const;

/** By these names clients reach the server: in the Compose file, as a service of Kubernetes, on the machine itself. */
const SERVER_NAMES = ['temporal', 'temporal-frontend', 'localhost'] as const;

/** A certificate that ends stops all deployments on a day that nobody expects. */
const YEARS = 10;

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

interface Authority {
  readonly certificate: X509Certificate;
  readonly key: Web.CryptoKey;
}

/** Whether both files, `<name>.pem` and `<name>-key.pem`, were made. */
export interface CertificateFiles {
  readonly name: string;
  readonly isNew: boolean;
}

/** The key of the authority is elsewhere, and certificates are missing. */
export class AuthorityAwayError extends Error {
  override readonly name = 'AuthorityAwayError';
  readonly code = 'AUTHORITY_AWAY';
}

/**
 * Makes the certificates that are not there yet, in a folder that is. The authority's own key is only needed to make more of
 * them, so it belongs on no server: while it is away, those that are there stay. A new authority makes new certificates of all,
 * because the others are of the old one. Throws an `AuthorityAwayError`.
 */
export async function ensureTemporalCertificates(folder: string): Promise<readonly CertificateFiles[]> {
  const isNewAuthority = !existsSync(certificateFile(folder, AUTHORITY));
  if (!isNewAuthority && !isThere(folder, AUTHORITY)) return withoutAuthority(folder);
  if (isNewAuthority) await makeAuthority(folder);
  const authority = await readAuthority(folder);
  const made: CertificateFiles[] = [{ name: AUTHORITY, isNew: isNewAuthority }];
  for (const [name, extensions] of wanted()) {
    const isNew = isNewAuthority || !isThere(folder, name);
    if (isNew) await makeCertificate(folder, name, authority, extensions);
    made.push({ name, isNew });
  }
  return made;
}

function withoutAuthority(folder: string): readonly CertificateFiles[] {
  const names = wanted().map(([name]) => name);
  const missing = names.filter((name) => !isThere(folder, name));
  if (missing.length === 0) return [AUTHORITY, ...names].map((name) => ({ name, isNew: false }));
  throw new AuthorityAwayError(
    `expected ${AUTHORITY}-key.pem in ${folder}, to make ${missing.join(', ')}, found none; put it back, or move ${AUTHORITY}.pem away to make new certificates of all`,
  );
}

const AUTHORITY = 'temporal-ca';

function wanted(): readonly (readonly [name: string, extensions: readonly Extension[]])[] {
  const names = SERVER_NAMES.map((value) => ({ type: 'dns', value }) as const);
  const server = [
    // Its parts are clients of each other.
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
    new SubjectAlternativeNameExtension([...names, { type: 'ip', value: '127.0.0.1' }]),
  ];
  const client = [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
  return [['temporal', server], ...TEMPORAL_CLIENTS.map((name) => [`temporal-client-${name}`, client] as const)];
}

async function makeAuthority(folder: string): Promise<void> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...lifetime(),
    name: 'CN=Nereid: clients of Temporal',
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  await write(folder, AUTHORITY, certificate, keys.privateKey);
}

async function readAuthority(folder: string): Promise<Authority> {
  const [key] = PemConverter.decode(readFileSync(keyFile(folder, AUTHORITY), 'utf8'));
  if (key === undefined) throw new Error(`expected a private key in ${keyFile(folder, AUTHORITY)}, found none`);
  return {
    certificate: new X509Certificate(readFileSync(certificateFile(folder, AUTHORITY), 'utf8')),
    key: await webcrypto.subtle.importKey('pkcs8', key, KEY, false, ['sign']),
  };
}

async function makeCertificate(
  folder: string,
  name: string,
  { certificate: issuer, key: signingKey }: Authority,
  extensions: readonly Extension[],
): Promise<void> {
  const { publicKey, privateKey } = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    ...lifetime(),
    subject: `CN=${name}`,
    issuer: issuer.subjectName,
    publicKey,
    signingKey,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  await write(folder, name, certificate, privateKey);
}

function generateKeys(): Promise<Web.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
}

/** From yesterday: clocks of machines differ. */
function lifetime() {
  const [notBefore, notAfter] = [new Date(), new Date()];
  notBefore.setUTCDate(notBefore.getUTCDate() - 1);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  return { notBefore, notAfter };
}

/** The key first: a certificate without its key would look complete. */
async function write(folder: string, name: string, certificate: X509Certificate, key: Web.CryptoKey): Promise<void> {
  const pem = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), PemConverter.PrivateKeyTag);
  writeFileSync(keyFile(folder, name), `${pem}\n`, { mode: 0o600 });
  writeFileSync(certificateFile(folder, name), `${certificate.toString('pem')}\n`, { mode: 0o644 });
}

function isThere(folder: string, name: string): boolean {
  return existsSync(certificateFile(folder, name)) && existsSync(keyFile(folder, name));
}

function certificateFile(folder: string, name: string): string {
  return join(folder, `${name}.pem`);
}

function keyFile(folder: string, name: string): string {
  return join(folder, `${name}-key.pem`);
}
