/** Tells a provider that refuses from one that is away. */
import { ProviderUnavailableError } from '@nereid/identity';
import * as client from 'openid-client';
import type { Exchanged, LoginTokens } from './provider.ts';

export async function exchanged(provider: string, ask: () => Promise<LoginTokens>): Promise<Exchanged> {
  try {
    return { kind: 'tokens', tokens: await ask() };
  } catch (error) {
    return refusalOf(provider, error);
  }
}

/** Throws a `ProviderUnavailableError` where another attempt may succeed. */
export function refusalOf(provider: string, error: unknown): Extract<Exchanged, { readonly kind: 'refused' }> {
  const why = refusalIn(error);
  if (why === undefined) throw new ProviderUnavailableError(provider, String(error), { cause: error });
  return { kind: 'refused', why };
}

/** The code of a refusal, such as `access_denied`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof client.ResponseBodyError ? error.error : '';
}

/** Undefined where another attempt may succeed. */
function refusalIn(error: unknown): string | undefined {
  if (error instanceof client.AuthorizationResponseError) return sayOf(error.error);
  if (error instanceof client.ResponseBodyError && error.status < 500) return sayOf(error.error);
  if (error instanceof client.ClientError && CLAIMS.has(error.code ?? ''))
    return 'what came back was not for this login';
  return undefined;
}

/** What came does not fit what we asked: another state, nonce, issuer, audience. */
const CLAIMS: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
]);

/** A code such as `access_denied`; it comes from outside. */
function sayOf(code: string): string {
  return SAID.get(code) ?? `the answer was ${code.replaceAll(/[^\w.-]/g, '').slice(0, 60)}`;
}

const SAID: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'you did not agree'],
  // Entra's word for it.
  ['authorization_declined', 'you did not agree'],
  ['expired_token', 'the code has expired'],
  ['incorrect_device_code', 'the code was used already'],
]);
