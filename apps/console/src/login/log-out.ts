/** A logout here, or everywhere. The session ends in any case, whoever is away. */
import { ProviderUnavailableError } from '@nereid/identity';
import type { Request, Response } from 'express';
import { sendMessage, type Message } from '../platform/http/send-message.ts';
import type { Login } from './create-login.ts';
import { logoutPage } from './pages.ts';
import type { LoginTokens, LogoutScope } from './provider/provider.ts';
import { isOwn, type Csrf } from './visitor/csrf.ts';
import { visitorOf } from './visitor/visitor-of.ts';
import type { VisitorFinder } from './visitor/visitor.ts';

export interface LogoutSources extends VisitorFinder {
  readonly csrf: Csrf;
  readonly login: Login | undefined;
}

export async function logOut(sources: LogoutSources, request: Request, response: Response): Promise<void> {
  const { csrf, login, logger } = sources;
  const visitor = await visitorOf(sources, request);
  if (visitor.kind === 'person' && !isOwn(csrf, visitor, request)) {
    sendMessage(response, OLD_PAGE);
    return;
  }
  const unlessAway = async <T>(ask: () => Promise<T>): Promise<T | 'unavailable'> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error;
      logger.warn({ err: error }, 'a login could not be ended at its provider');
      return 'unavailable';
    }
  };
  const ended = login && (await unlessAway(() => endAtProvider(login, request, scopeIn(request))));
  const areOthersTold = await login?.sessions.end(request, response);
  if (ended === 'unavailable') response.send(logoutPage({ sentence: NOT_REVOKED }).markup);
  else if (areOthersTold === false) response.send(logoutPage({ ...ended, sentence: NOT_TOLD }).markup);
  else response.send(logoutPage(ended ?? { sentence: NO_SESSION }).markup);
}

/** Undefined where there is no session. */
async function endAtProvider({ sessions, provider }: Login, request: Request, scope: LogoutScope) {
  const opened = await sessions.open(request);
  if (opened.kind !== 'open') return undefined;
  const { tokens } = opened.session;
  await provider.revoke(tokens, scope);
  return { sentence: scope === 'here' ? HERE : EVERYWHERE, provider: await pageOf(provider, tokens) };
}

async function pageOf(provider: Login['provider'], tokens: LoginTokens) {
  const url = await provider.logoutUrl(tokens);
  return url && { name: provider.name, url: url.href };
}

function scopeIn(request: Request): LogoutScope {
  const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>; // As the parser of forms leaves it.
  return fields['where'] === 'everywhere' ? 'everywhere' : 'here';
}

const NO_SESSION = 'You are logged out.';
const HERE = 'You are logged out in this browser.';
const EVERYWHERE = 'You are logged out here at once, and everywhere else within half a minute.';
const NOT_REVOKED =
  'You are logged out in this browser, but the provider could not be told. To be safe, end the login on its own pages.';

const NOT_TOLD =
  'You are logged out in this browser, but storage could not be told, so a copy of your session would count at other consoles until it ends. To be safe, end the login on the provider’s own pages.';

const OLD_PAGE: Message = {
  status: 403,
  title: 'Not done',
  sentence: 'This did not come from a page of this console, or from one of another login: load the page again.',
};
