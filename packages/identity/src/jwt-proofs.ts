/** ID tokens of OpenID providers, and the assertions of login proxies: both are JWTs that somebody else signed. */
import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import type { LoginConfig } from '@nereid/config';
import { ProviderUnavailableError } from './errors.ts';
import type { Claimed } from './identity.ts';

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

/** A sender of tokens with made-up keys has the provider asked this often, and no more often. */
const KEYS_ASKED_AGAIN_AFTER_MS = 5_000;

export function createJwtProofs(keysAskedAgainAfterMs = KEYS_ASKED_AGAIN_AFTER_MS): JwtProofs {
  const keysAt = createKeySets(keysAskedAgainAfterMs);
  const discovered = createDiscovery();
  return {
    async idToken(login, token, at) {
      const { issuer, clientId } = login;
      const keys = keysAt(await discovered(issuer));
      return claimed(await verified(token, keys, { issuer, audience: clientId, currentDate: at }), login, clientId);
    },
    async assertion(login, token, at) {
      const { issuer, audience, keysUrl } = login;
      return claimed(await verified(token, keysAt(keysUrl), { issuer, audience, currentDate: at }), login);
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

type Verified = { readonly kind: 'verified'; readonly payload: JWTPayload } | Nobody;

async function verified(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<Verified> {
  if (token.length > TOKEN_LIMIT) return nobody('it is too long for a proof of who somebody is');
  try {
    const { payload } = await jwtVerify(token, keys, { ...REQUIRED, ...options });
    return { kind: 'verified', payload };
  } catch (error) {
    if (isAway(error)) throw new ProviderUnavailableError('the keys of the login', error.message, { cause: error });
    if (error instanceof errors.JWTExpired) return nobody('your login has expired: log in again');
    if (error instanceof errors.JOSEError) return nobody('this login is not one of those who vouch for people here');
    throw error;
  }
}

/** `shownBy` is the client that has to show the token, where the token says who that is. */
function claimed(found: Verified, { claim, vouchesForEmail }: OidcLogin | ProxyLogin, shownBy?: string): Claimed {
  if (found.kind === 'nobody') return found;
  const { payload } = found;
  if (shownBy !== undefined && !isShownBy(payload, shownBy))
    return nobody('your login is for another program: log in to the console again');
  const name = payload[claim];
  if (typeof name !== 'string' || name === '')
    return nobody(`your login has no ${claim}: ask the operators to set console.login`);
  if (claim === 'email' && !isVerified(payload, vouchesForEmail)) return nobody(NOT_VERIFIED);
  return { kind: 'claimed', name };
}

/** OpenID Connect Core, 3.1.3.7: one for several clients names the one that it was given to. */
function isShownBy({ aud, azp }: JWTPayload, clientId: string): boolean {
  return azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId;
}

/** Somebody who may write an address that nobody verified can be anybody. */
function isVerified({ email_verified: said }: JWTPayload, vouchesForEmail: boolean): boolean {
  return said === true || (said === undefined && vouchesForEmail);
}

const NOT_VERIFIED =
  'your address is not verified: expected email_verified to be true in your login (operators: if the provider verifies every address but leaves this out, set vouches_for_email in console.login)';

const REQUIRED: JWTVerifyOptions = { algorithms: ALGORITHMS, clockTolerance: CLOCKS_S, requiredClaims: ['exp', 'iat'] };

/** The keys could not be read: that says nothing about the token. */
function isAway(error: unknown): error is Error {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  return (
    error instanceof Error &&
    (error.name === 'TypeError' || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'))
  );
}

type Nobody = Extract<Claimed, { readonly kind: 'nobody' }>;

function nobody(why: string): Nobody {
  return { kind: 'nobody', why };
}
