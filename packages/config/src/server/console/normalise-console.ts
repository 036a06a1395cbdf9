import { defined } from '@nereid/domain/defined';
import { operatorOf, type ApiToken, type ConsolePolicy, type LoginConfig } from './console-policy.ts';
import type * as written from './console-schema.ts';

/** What Okta, Entra and Google call the name that people log in with. */
const LOGIN_CLAIM = 'preferred_username';

/** Login proxies assert an address. */
const ASSERTED_CLAIM = 'email';

/** Fills in defaults, and gives keys our spelling. */
export function normaliseConsole(section: written.Console): ConsolePolicy {
  const { login, people = {}, tokens = [], operators = [], log_links: logLinks, temporal_ui: ui } = section;
  return {
    ...(login !== undefined && { login: normaliseLogin(login) }),
    people: new Map(Object.entries(people)),
    tokens: tokens.map(normaliseToken),
    operators: operators.map(operatorOf),
    ...defined({ logLinks }),
    ...(ui && { temporalUi: { url: ui.url.replace(/\/+$/, ''), decodes: ui.decodes ?? false } }),
  };
}

function normaliseLogin(login: NonNullable<written.Console['login']>): LoginConfig {
  if (login === 'local') return { mode: 'local' };
  if ('local' in login) return { mode: 'local', ...defined({ as: login.local.as }) };
  if ('github' in login) return { mode: 'github', clientId: login.github.client_id };
  if ('oidc' in login) {
    const { issuer, client_id: clientId, claim = LOGIN_CLAIM, vouches_for_email: vouchesForEmail = false } = login.oidc;
    return { mode: 'oidc', issuer, clientId, claim, vouchesForEmail };
  }
  const { header, issuer, audience, keys: keysUrl, claim = ASSERTED_CLAIM } = login.proxy;
  const { vouches_for_email: vouchesForEmail = false } = login.proxy;
  return { mode: 'proxy', header: header.toLowerCase(), issuer, audience, keysUrl, claim, vouchesForEmail };
}

function normaliseToken({
  repositories = ['*/*'],
  expires,
  ...token
}: NonNullable<written.Console['tokens']>[number]): ApiToken {
  // The whole day counts.
  return { ...token, repositories, expires: `${expires}T23:59:59.999Z` };
}
