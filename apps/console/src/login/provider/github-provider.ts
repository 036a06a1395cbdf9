/** The login of the GitHub App, by GitHub's OAuth flow for people. */
import { defined } from '@nereid/domain/defined';
import type { Secret } from '@nereid/config';
import { ProviderUnavailableError } from '@nereid/identity';
import * as client from 'openid-client';
import { exchanged } from './asked.ts';
import { beginDevice, finishDevice } from './device-flow.ts';
import { PROVIDER_TIMEOUT_S, type LoginProvider, type LoginTokens } from './provider.ts';

export interface GitHubLogin {
  readonly clientId: string;
  readonly secret: Secret;
  /** Of GitHub's pages, without a trailing slash, like `apiUrl`. */
  readonly url: string;
  readonly apiUrl: string;
  /** Where people come back to. */
  readonly redirectUri: string;
}

export function createGitHubProvider(login: GitHubLogin): LoginProvider {
  const { secret, redirectUri } = login;
  const config = configurationOf(login, client.ClientSecretPost(secret.reveal()));
  // GitHub asks for no secret there.
  const device = {
    name: 'GitHub',
    config: configurationOf(login, client.None()),
    howToSwitchOn: DEVICE_FLOW,
    tokensOf,
  };

  return {
    name: 'GitHub',
    endsEverywhere: true,
    async loginUrl({ state, verifier }) {
      const code_challenge = await client.calculatePKCECodeChallenge(verifier);
      const asked = { redirect_uri: redirectUri, state, code_challenge, code_challenge_method: 'S256' };
      return client.buildAuthorizationUrl(config, asked);
    },
    exchange: (query, { state, verifier }) =>
      exchanged('GitHub', async () => {
        const checks = { expectedState: state, pkceCodeVerifier: verifier };
        return tokensOf(await client.authorizationCodeGrant(config, new URL(redirectUri + query), checks));
      }),
    beginDevice: () => beginDevice(device, {}),
    finishDevice: (code) => finishDevice(device, code),
    refresh: ({ refreshToken = '' }) =>
      exchanged('GitHub', async () => tokensOf(await client.refreshTokenGrant(config, refreshToken))),
    revoke: (tokens, scope) => revoke(login, tokens, scope === 'here' ? 'token' : 'grant'),
    logoutUrl: () => Promise.resolve(undefined),
  };
}

const DEVICE_FLOW = 'operators have to tick “Enable Device Flow” on the page of the GitHub App';

function configurationOf({ url, clientId }: GitHubLogin, authentication: client.ClientAuth): client.Configuration {
  const server = {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    device_authorization_endpoint: `${url}/login/device/code`,
    token_endpoint: `${url}/login/oauth/access_token`,
  };
  const config = new client.Configuration(server, clientId, undefined, authentication);
  config.timeout = PROVIDER_TIMEOUT_S;
  config[client.customFetch] = fetchFromGitHub;
  // A private GitHub on this machine; the address is the operator's.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so to stand out, and the address is this machine's
  if (url.startsWith('http://')) client.allowInsecureRequests(config);
  return config;
}

function tokensOf(answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers): LoginTokens {
  const { access_token: token, refresh_token: refreshToken } = answer;
  const lifeS = answer.expiresIn();
  return {
    proof: { mode: 'github', token },
    ...defined({ refreshToken }),
    ...(lifeS !== undefined && { expiresAt: Date.now() + lifeS * 1_000 }),
  };
}

/** GitHub says 200 when it refuses, and says why in the body; OAuth has 400 for that. */
const fetchFromGitHub: client.CustomFetch = async (url, options) => {
  const { body: sent, ...rest } = options;
  const response = await fetch(url, { ...rest, ...defined({ body: sent }) });
  if (response.status !== 200) return response;
  const body = await response.text();
  const status = /^\s*\{\s*"error"/.test(body) ? 400 : 200;
  return new Response(body, { status, headers: response.headers });
};

/** One that is gone already is what was wanted. */
const REVOKED: ReadonlySet<number> = new Set([204, 404, 422]);

async function revoke(
  { apiUrl, clientId, secret }: GitHubLogin,
  { proof }: LoginTokens,
  what: 'token' | 'grant',
): Promise<void> {
  if (proof.mode !== 'github') throw new Error('expected a token of GitHub, found the proof of another login');
  const basic = Buffer.from(`${clientId}:${secret.reveal()}`).toString('base64');
  const response = await fetch(`${apiUrl}/applications/${encodeURIComponent(clientId)}/${what}`, {
    method: 'DELETE',
    headers: { authorization: `Basic ${basic}`, accept: 'application/vnd.github+json', 'user-agent': 'nereid' },
    body: JSON.stringify({ access_token: proof.token }),
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_S * 1_000),
  }).catch((cause: unknown) => {
    throw new ProviderUnavailableError('GitHub', 'no answer', { cause });
  });
  await response.body?.cancel();
  if (!REVOKED.has(response.status)) throw new ProviderUnavailableError('GitHub', `status ${response.status}`);
}
