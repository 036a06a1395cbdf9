import { describe, expect, test } from '@jest/globals';
import { createTestAuthority } from '@nereid/test-kit';
import { tlsProblems } from './tls-files.ts';

const authority = await createTestAuthority();
const ours = await authority.issue();
const another = await authority.issue();

const pem = (text: string) => Buffer.from(text);

describe('certificates for Temporal that fit', () => {
  test.each([
    ['none', undefined],
    ['those of the system', true],
    ['an authority', { serverRootCACertificate: pem(authority.certificate) }],
    ['a certificate of ours', { clientCertPair: { crt: pem(ours.certificate), key: pem(ours.key) } }],
  ])('are no problem: %s', (_what, tls) => {
    expect(tlsProblems(tls)).toEqual([]);
  });
});

describe('certificates for Temporal that do not fit are found before the process starts', () => {
  test('an authority that is none', () => {
    expect(tlsProblems({ serverRootCACertificate: pem(ours.key) })).toEqual([
      {
        path: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
        message:
          'expected a certificate as PEM, found something else; set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the right file',
      },
    ]);
  });

  test('a certificate and a key that are none', () => {
    expect(tlsProblems({ clientCertPair: { crt: pem('a'), key: pem('b') } })).toMatchObject([
      { path: 'TEMPORAL_TLS_CLIENT_CERT_PATH' },
      { path: 'TEMPORAL_TLS_CLIENT_KEY_PATH' },
    ]);
  });

  test('the key of another certificate', () => {
    expect(tlsProblems({ clientCertPair: { crt: pem(ours.certificate), key: pem(another.key) } })).toMatchObject([
      { message: expect.stringMatching(/^expected the key of the certificate, found that of another one; set/) },
    ]);
  });

  test('a certificate that has expired', () => {
    const later = new Date(Date.now() + 10 * 86_400_000);

    expect(tlsProblems({ clientCertPair: { crt: pem(ours.certificate), key: pem(ours.key) } }, later)).toMatchObject([
      { message: expect.stringMatching(/^expected a certificate that has not expired, found one that ended at 20/) },
    ]);
  });
});
