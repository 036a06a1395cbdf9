/** The App's OAuth flow for people: codes, tokens that act for a person, and their end. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { sameName } from '../state/accounts.ts';
import type { Token } from '../state/model.ts';
import type { OAuthClient, World } from '../world.ts';
import { redeemDeviceCode } from './device-codes.ts';
import { findToken, hashOf, mintToken } from './tokens.ts';

interface Code {
  readonly login: string;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly expiresAt: number;
}

/** As on GitHub. */
const CODE_LIFE_MS = 10 * 60_000;
const REFRESH_LIFE_S = 15_897_600;

/** They need not survive a restart. */
const codes = new WeakMap<World, Map<string, Code>>();

export function mintCode(world: World, code: Omit<Code, 'expiresAt'>): string {
  const all = codes.get(world) ?? new Map<string, Code>();
  codes.set(world, all);
  const text = randomBytes(10).toString('hex');
  all.set(text, { ...code, expiresAt: Date.now() + CODE_LIFE_MS });
  return text;
}

/** GitHub answers 200 in either case. */
export type TokenAnswer = Readonly<Record<string, string | number>>;

export function answerTokenRequest(world: World, fields: Readonly<Record<string, string>>): TokenAnswer {
  const client = world.oauth;
  if (client !== undefined && fields['grant_type'] === DEVICE_GRANT && fields['client_id'] === client.clientId)
    return grantToDevice(world, client, fields['device_code'] ?? '');
  if (client === undefined || fields['client_id'] !== client.clientId || !isSecret(client, fields['client_secret']))
    return refused('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
  if (fields['grant_type'] === 'refresh_token') return refresh(world, client, fields['refresh_token'] ?? '');
  const code = redeemCode(world, fields['code'] ?? '');
  if (code === undefined) return refused('bad_verification_code', 'The code passed is incorrect or expired.');
  if (fields['redirect_uri'] !== code.redirectUri)
    return refused('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL.');
  if (code.challenge !== challengeOf(fields['code_verifier']))
    return refused('bad_verification_code', 'The code_verifier does not match the code_challenge.');
  return grant(world, client, code.login);
}

/** The secret of the client is not asked for. */
function grantToDevice(world: World, client: OAuthClient, deviceCode: string): TokenAnswer {
  const taken = redeemDeviceCode(world, deviceCode);
  return taken.kind === 'agreed' ? grant(world, client, taken.login) : taken.of;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Removes a token, or all tokens of its person. False for one that is none. */
export function revokeToken(world: World, token: string, what: 'token' | 'grant'): boolean {
  const found = findToken(world.store, token);
  if (found?.holder.kind !== 'user') return false;
  const { login } = found.holder;
  const { state } = world.store;
  const isGone = (each: Token): boolean =>
    each === found || (what === 'grant' && each.holder.kind === 'user' && sameName(each.holder.login, login));
  state.tokens = state.tokens.filter((each) => !isGone(each));
  world.store.changed();
  return true;
}

export function isClient(world: World, authorization: string | undefined): boolean {
  const [, encoded = ''] = /^basic (.+)$/i.exec(authorization ?? '') ?? [];
  const [clientId, secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return world.oauth !== undefined && clientId === world.oauth.clientId && isSecret(world.oauth, secret);
}

function refresh(world: World, client: OAuthClient, refreshToken: string): TokenAnswer {
  const { state } = world.store;
  const hash = hashOf(refreshToken);
  const found = state.tokens.find(({ holder }) => holder.kind === 'user' && holder.refreshHash === hash);
  if (found?.holder.kind !== 'user')
    return refused('bad_refresh_token', 'The refresh token passed is incorrect or expired.');
  // Both old tokens end with the new ones.
  state.tokens = state.tokens.filter((each) => each !== found);
  return grant(world, client, found.holder.login);
}

function grant(world: World, { tokenLifeMs }: OAuthClient, login: string): TokenAnswer {
  const common = { scope: '', token_type: 'bearer' };
  if (tokenLifeMs === undefined) {
    const { token } = mintToken(world.store, { kind: 'user', login }, FOR_EVER_MS);
    return { access_token: token, ...common };
  }
  const refreshToken = `ghr_${randomBytes(38).toString('hex')}`;
  const { token } = mintToken(world.store, { kind: 'user', login, refreshHash: hashOf(refreshToken) }, tokenLifeMs);
  const expires = { expires_in: Math.floor(tokenLifeMs / 1_000), refresh_token_expires_in: REFRESH_LIFE_S };
  return { access_token: token, refresh_token: refreshToken, ...expires, ...common };
}

/** Longer than any stand-in lives. */
const FOR_EVER_MS = 10 * 365 * 24 * 3_600_000;

/** A code counts once. */
function redeemCode(world: World, text: string): Code | undefined {
  const all = codes.get(world);
  const code = all?.get(text);
  all?.delete(text);
  return code && code.expiresAt > Date.now() ? code : undefined;
}

function challengeOf(verifier: string | undefined): string | undefined {
  return verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url');
}

function isSecret({ clientSecret }: OAuthClient, given: string | undefined): boolean {
  const [expected, found] = [Buffer.from(clientSecret), Buffer.from(given ?? '')];
  return expected.length === found.length && timingSafeEqual(expected, found);
}

function refused(error: string, description: string): TokenAnswer {
  return { error, error_description: description };
}
