/** What is wrong with the certificates and the key for Temporal, before anybody connects with them. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { LocatedProblem } from '@nereid/config';
import type { ConnectionOptions } from '@temporalio/client';

type Tls = ConnectionOptions['tls'];

/** Each problem names the variable of the guide; the same text can come from a profile. `now` is for tests. */
export function tlsProblems(tls: Tls, now = new Date()): readonly LocatedProblem[] {
  if (typeof tls !== 'object' || tls === null) return [];
  const { serverRootCACertificate: authority, clientCertPair: pair } = tls;
  const read = pair && { certificate: certificateIn(pair.crt), key: keyIn(pair.key) };
  return [
    ...(authority && !certificateIn(authority)
      ? [problem('SERVER_CA_CERT', 'a certificate as PEM', 'something else')]
      : []),
    ...(read && !read.certificate ? [problem('CLIENT_CERT', 'a certificate as PEM', 'something else')] : []),
    ...(read && !read.key
      ? [problem('CLIENT_KEY', 'a private key as PEM, without a passphrase', 'something else')]
      : []),
    ...(read?.certificate ? pairProblems(read.certificate, read.key, now) : []),
  ];
}

function pairProblems(certificate: X509Certificate, key: KeyObject | undefined, now: Date): readonly LocatedProblem[] {
  const isOfAnother = key !== undefined && !certificate.checkPrivateKey(key);
  const end = certificate.validToDate;
  return [
    ...(isOfAnother ? [problem('CLIENT_KEY', 'the key of the certificate', 'that of another one')] : []),
    ...(end < now
      ? [problem('CLIENT_CERT', 'a certificate that has not expired', `one that ended at ${end.toISOString()}`)]
      : []),
  ];
}

function problem(what: string, expected: string, found: string): LocatedProblem {
  const path = `TEMPORAL_TLS_${what}_PATH`;
  return { path, message: `expected ${expected}, found ${found}; set ${path} to the right file` };
}

function certificateIn(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyIn(pem: Uint8Array): KeyObject | undefined {
  try {
    return createPrivateKey(Buffer.from(pem));
  } catch {
    return undefined;
  }
}
