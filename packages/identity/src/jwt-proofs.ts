/** ID tokens of OpenID providers, and the assertions of login proxies: both are JWTs that somebody else signed. */
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import type { LoginConfig } from '@nereid/config';
import { ProviderUnavailableError } from './errors.ts';
import type { Claimed } from './identify.ts';

type OidcLogin = Extract<LoginConfig, { readonly mode: 'oidc' }>;
type ProxyLogin = Extract<LoginConfig, { readonly mode: 'proxy' }>;

export interface JwtProofs {
  idToken(login: OidcLogin, token: string, at: Date): Promise<Claimed>;
  assertion(login: ProxyLogin, token: string, at: Date): Promise<Claimed>;
}

/** What providers and proxies sign with. Never `none`, and no shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** How far the clocks of two companies may differ. */
const CLOCKS_S = 60;

/** Larger ones come from nobody whom we asked. */
const TOKEN_LIMIT = 16_384;

const TIMEOUT_MS = 10_000;

/** Whoever sends a token of a made-up key has the provider asked this often, and no oftener. */
const KEYS_ASKED_AGAIN_AFTER_MS = 5_000;

export function createJwtProofs(keysAskedAgainAfterMs = KEYS_ASKED_AGAIN_AFTER_MS): JwtProofs {
  const keysAt = createKeySets(keysAskedAgainAfterMs);
  const discovered = createDiscovery();
  return {
    async idToken({ issuer, clientId: audience, claim }, token, at) {
      const keys = keysAt(await discovered(issuer));
      return verified(token, keys, { issuer, audience, currentDate: at }, claim);
    },
    assertion({ issuer, audience, keysUrl, claim }, token, at) {
      return verified(token, keysAt(keysUrl), { issuer, audience, currentDate: at }, claim);
    },
  };
}

/** The keys of a provider are kept, and read again when a token names one that is not among them. */
function createKeySets(cooldownDuration: number): (url: string) => JWTVerifyGetKey {
  const options = { timeoutDuration: TIMEOUT_MS, cooldownDuration };
  const known = new Map<string, JWTVerifyGetKey>();
  return (url) => {
    const keys = known.get(url) ?? createRemoteJWKSet(new URL(url), options);
    // The server's file names them, so there are few.
    known.set(url, keys);
    return keys;
  };
}

/** Where a provider publishes its keys, from OpenID Connect Discovery. */
function createDiscovery(): (issuer: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (issuer) => {
    const found = known.get(issuer) ?? (await discoverKeys(issuer));
    known.set(issuer, found);
    return found;
  };
}

async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await readJson(url);
  const { issuer: named, jwks_uri: keys } = found as { issuer?: unknown; jwks_uri?: unknown }; // Checked below.
  if (named !== issuer || typeof keys !== 'string' || !URL.canParse(keys))
    throw new ProviderUnavailableError(issuer, `another issuer or no jwks_uri at ${url}`);
  return keys;
}

async function readJson(url: string): Promise<object> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Object(await response.json()) as object;
  } catch (cause) {
    throw new ProviderUnavailableError(url, String(cause), { cause });
  }
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
  claim: string,
): Promise<Claimed> {
  if (token.length > TOKEN_LIMIT) return nobody('it is too long for a proof of who somebody is');
  try {
    const { payload } = await jwtVerify(token, keys, { ...REQUIRED, ...options });
    const name = payload[claim];
    if (typeof name !== 'string' || name === '')
      return nobody(`your login has no ${claim}: ask the operators to set console.login`);
    if (claim === 'email' && payload['email_verified'] === false) return nobody('your address is not verified');
    return { kind: 'claimed', name };
  } catch (error) {
    if (isAway(error)) throw new ProviderUnavailableError('the keys of the login', error.message, { cause: error });
    if (error instanceof errors.JWTExpired) return nobody('your login has expired: log in again');
    if (error instanceof errors.JOSEError) return nobody('this login is not one of those who vouch for people here');
    throw error;
  }
}

const REQUIRED: JWTVerifyOptions = { algorithms: ALGORITHMS, clockTolerance: CLOCKS_S, requiredClaims: ['exp', 'iat'] };

/** The keys could not be read: that says nothing about the token. */
function isAway(error: unknown): error is Error {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  return (
    error instanceof Error &&
    (error.name === 'TypeError' || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'))
  );
}

function nobody(why: string): Claimed {
  return { kind: 'nobody', why };
}
