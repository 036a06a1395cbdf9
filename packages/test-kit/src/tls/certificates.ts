/** Certificates for tests: of an authority of one's own, for whatever name and time. */
import { randomUUID, webcrypto, type webcrypto as Web } from 'node:crypto';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

export interface TestAuthority {
  /** PEM. */
  readonly certificate: string;
  issue(options?: IssueOptions): Promise<TestCertificate>;
}

export interface IssueOptions {
  /** Default: `localhost`. */
  readonly name?: string;
  /** Default: tomorrow. */
  readonly notAfter?: Date;
}

/** Both are PEM. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await generateKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...lifetime(),
    name: `CN=${randomUUID()}`,
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  return {
    certificate: authority.toString('pem'),
    issue: (options = {}) => issue(authority, keys.privateKey, options),
  };
}

async function issue(
  authority: X509Certificate,
  signingKey: Web.CryptoKey,
  { name = 'localhost', notAfter }: IssueOptions,
): Promise<TestCertificate> {
  const { publicKey, privateKey } = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    ...lifetime(notAfter),
    subject: `CN=${name}`,
    issuer: authority.subjectName,
    publicKey,
    signingKey,
    signingAlgorithm: SIGNATURE,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return { certificate: certificate.toString('pem'), key: PemConverter.encode(pkcs8, PemConverter.PrivateKeyTag) };
}

function generateKeys(): Promise<Web.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
}

/** Begins long before any end that a test asks for. */
function lifetime(notAfter = new Date(Date.now() + DAY_MS)) {
  return { notBefore: new Date(Date.now() - 30 * DAY_MS), notAfter };
}
