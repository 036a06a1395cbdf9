import { expect, test } from '@jest/globals';
import { causesOf, distrustOf } from './distrust.ts';

const asFetchSays = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });

test.each([
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'does not trust (SELF_SIGNED_CERT_IN_CHAIN); name the file of its authority in NODE_EX',
  ],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'name the file of its authority in NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'is not valid today (CERT_HAS_EXPIRED); renew it, or set the clock of this machine'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'of another name (ERR_TLS_CERT_ALTNAME_INVALID); correct the address'],
])('a certificate that is refused with %s is explained, wherever its error is', (code, sentence) => {
  const several = new AggregateError([asFetchSays(code), asFetchSays('ECONNREFUSED')]);

  for (const error of [asFetchSays(code), { cause: { cause: asFetchSays(code) } }, { cause: several }])
    expect(distrustOf(error)).toContain(sentence);
});

test.each([undefined, 'no', new Error('no'), asFetchSays('ECONNREFUSED'), asFetchSays('UNABLE_TO_X and a secret')])(
  'another failure is none of a certificate: %s',
  (error) => {
    expect(distrustOf(error)).toBeUndefined();
  },
);

test('an error that causes itself is read a few times', () => {
  const error = new Error('no');
  error.cause = error;

  expect(causesOf(error)).toHaveLength(5);
});
