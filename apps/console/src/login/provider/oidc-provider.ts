/** The login of a company, by any provider of OpenID Connect. */
import { defined } from '@nereid/domain/defined';
import type { LoginConfig, Secret } from '@nereid/config';
import { ProviderUnavailableError } from '@nereid/identity';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { exchanged } from './asked.ts';
import { beginDevice, finishDevice } from './device-flow.ts';
import { PROVIDER_TIMEOUT_S, type LoginProvider, type LoginTokens } from './provider.ts';

export interface OidcLogin extends Pick<Extract<LoginConfig, { readonly mode: 'oidc' }>, 'issuer' | 'clientId'> {
  /** Undefined where the provider wants none. */
  readonly secret: Secret | undefined;
  /** Where people come back to. */
  readonly redirectUri: string;
  /** Where people come to after a logout at the provider. */
  readonly afterLogoutUri: string;
}

/** How far the clocks of two companies may differ. */
const CLOCKS_S = 60;

export function createOidcProvider(login: OidcLogin): LoginProvider {
  const name = new URL(login.issuer).host;
  const configuration = createDiscovery(login, name);
  const device = async () => ({ name, config: await configuration(), howToSwitchOn: deviceFlowOf(name), tokensOf });
  return {
    name,
    endsEverywhere: false,
    async loginUrl({ state, nonce, verifier }) {
      const config = await configuration();
      return client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: login.redirectUri, scope: scopeOf(config), state, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    },
    async exchange(query, { state, nonce, verifier }) {
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const url = new URL(login.redirectUri + query);
      return exchanged(name, async () => tokensOf(await client.authorizationCodeGrant(config, url, checks)));
    },
    async beginDevice() {
      const flow = await device();
      const { device_authorization_endpoint: endpoint } = flow.config.serverMetadata();
      if (endpoint === undefined) return { kind: 'refused', why: noDeviceFlow(name) };
      return beginDevice(flow, { scope: scopeOf(flow.config) });
    },
    finishDevice: async (code) => finishDevice(await device(), code),
    async refresh(tokens) {
      const config = await configuration();
      return exchanged(name, async () =>
        tokensOf(await client.refreshTokenGrant(config, tokens.refreshToken ?? ''), tokens),
      );
    },
    async revoke({ refreshToken }) {
      const config = await configuration();
      if (refreshToken === undefined || config.serverMetadata().revocation_endpoint === undefined) return;
      await client.tokenRevocation(config, refreshToken).catch((cause: unknown) => {
        throw new ProviderUnavailableError(name, String(cause), { cause });
      });
    },
    async logoutUrl({ proof }) {
      const config = await configuration();
      if (proof.mode !== 'oidc' || config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const asked = { id_token_hint: proof.idToken, post_logout_redirect_uri: login.afterLogoutUri };
      return client.buildEndSessionUrl(config, asked);
    },
  };
}

function deviceFlowOf(name: string): string {
  return `operators have to allow the device authorization grant at ${name} for the client of this console`;
}

function noDeviceFlow(name: string): string {
  return `${name} has no device_authorization_endpoint: operators have to switch the device authorization grant on there`;
}

/** Asked for when it is first needed: the console starts while the provider is away. */
function createDiscovery({ issuer, clientId, secret }: OidcLogin, name: string): () => Promise<client.Configuration> {
  let known: Promise<client.Configuration> | undefined;
  const discover = async () => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so to stand out, and the address is this machine's
    const execute = issuer.startsWith('http://') ? [client.allowInsecureRequests] : [];
    const metadata = { [client.clockTolerance]: CLOCKS_S };
    const options = { execute, timeout: PROVIDER_TIMEOUT_S };
    try {
      return await client.discovery(new URL(issuer), clientId, metadata, authenticationWith(secret), options);
    } catch (cause) {
      known = undefined;
      throw new ProviderUnavailableError(name, String(cause), { cause });
    }
  };
  return () => (known ??= discover());
}

/** As the provider takes it: in the header unless it says otherwise, as OpenID Connect has it. */
function authenticationWith(secret: Secret | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret.reveal()), client.ClientSecretPost(secret.reveal())];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** A refresh token keeps a person logged in beyond the hour or less that an ID token lasts. */
function scopeOf(config: client.Configuration): string {
  const { scopes_supported: scopes = [] } = config.serverMetadata();
  return ['openid', 'profile', 'email', ...(scopes.includes('offline_access') ? ['offline_access'] : [])].join(' ');
}

/** A provider may leave out what stays as it was. */
function tokensOf(answer: client.TokenEndpointResponse, before?: LoginTokens): LoginTokens {
  const old = before?.proof.mode === 'oidc' ? before.proof.idToken : undefined;
  const idToken = answer.id_token ?? old;
  if (idToken === undefined) throw new Error('expected an ID token, found none');
  const { sub, exp } = decodeJwt(idToken);
  if (old !== undefined && decodeJwt(old).sub !== sub) throw new Error('expected the same person, found another one');
  const refreshToken = answer.refresh_token ?? before?.refreshToken;
  return {
    proof: { mode: 'oidc', idToken },
    ...defined({ refreshToken }),
    ...(exp !== undefined && { expiresAt: exp * 1_000 }),
  };
}
