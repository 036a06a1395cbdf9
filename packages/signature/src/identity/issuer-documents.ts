/** What an issuer publishes below its URL (OpenID Connect Discovery): where its keys are, and the keys. */
import type { KeyObject } from 'node:crypto';
import { exportJWK } from 'jose';
import { keyIdOf } from '../signer.ts';
import { IDENTITY_ALGORITHM } from './issuer.ts';

export interface IssuerDocument {
  /** Below the issuer's URL, `/.well-known/…`. */
  readonly path: string;
  /** JSON. */
  readonly text: string;
}

const DISCOVERY = '/.well-known/openid-configuration';
const KEYS = '/.well-known/jwks.json';

/** The claims that a token has besides those of every token. */
const CLAIMS = [
  'repository',
  'root',
  'phase',
  'directory',
  'workspace',
  'branch',
  'revision',
  'trigger',
  'deployment',
  'confirmed_by',
];

/** Tokens of each of these RSA keys are believed: while keys rotate, there are several. */
export async function issuerDocuments(
  url: string,
  publicKeys: readonly KeyObject[],
): Promise<readonly IssuerDocument[]> {
  const keys = publicKeys.map(async (key) => {
    const { kty, n, e } = await exportJWK(key);
    return { kty, n, e, kid: await keyIdOf(key), alg: IDENTITY_ALGORITHM, use: 'sig' };
  });
  const discovery = {
    issuer: url,
    jwks_uri: `${url}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [IDENTITY_ALGORITHM],
    scopes_supported: ['openid'],
    claims_supported: ['iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti', ...CLAIMS],
  };
  return [
    { path: DISCOVERY, text: textOf(discovery) },
    { path: KEYS, text: textOf({ keys: await Promise.all(keys) }) },
  ];
}

function textOf(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
