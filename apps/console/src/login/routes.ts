/** How people log in, and out. */
import { ProviderUnavailableError } from '@nereid/identity';
import express, { Router, type Request, type Response } from 'express';
import { isOwn } from '../actions/csrf.ts';
import type { Context } from '../context.ts';
import { sendMessage, type Message } from '../html/send-message.ts';
import { createLoginLimits } from './limits.ts';
import { loginPage, logoutPage } from './pages.ts';
import { ownPath } from './own-path.ts';
import type { LogoutScope } from './provider/provider.ts';
import type { Login } from './create-login.ts';

/** Two short fields. */
const BODY_LIMIT = '4kb';

export function loginRoutes(context: Context): Router {
  const router = Router();
  const limits = createLoginLimits();
  const { login, logger } = context;

  /** Answers with a sentence when the provider is away, or when somebody tries too often. */
  function answering(answer: (request: Request, response: Response, login: Login) => Promise<void>) {
    return async (request: Request, response: Response) => {
      if (login === undefined) {
        sendMessage(response, NO_LOGIN);
        return;
      }
      const waitS = await limits.ofAddress(request.ip);
      if (waitS > 0) {
        refuseFor(response, waitS);
        return;
      }
      try {
        await answer(request, response, login);
      } catch (error) {
        if (!(error instanceof ProviderUnavailableError)) throw error;
        logger.warn({ err: error }, 'nobody can log in');
        sendMessage(response, unavailable(login.provider.name));
      }
    };
  }

  router.get('/login', async (request, response) => {
    const visitor = await visitorOf(context, request);
    const csrf = visitor.kind === 'person' && visitor.by === 'browser' ? context.csrf.tokenFor(visitor) : undefined;
    const to = ownPath(request.query['to']) ?? '/';
    response.send(loginPage({ mode: context.loginMode, provider: login?.provider, visitor, csrf, to }).markup);
  });

  router.get(
    '/login/start',
    answering(async (request, response, { provider, attempts }) => {
      const attempt = await attempts.begin(response, ownPath(request.query['to']) ?? '/');
      response.redirect(303, (await provider.loginUrl(attempt)).href);
    }),
  );

  router.get(
    '/login/callback',
    answering(async (request, response, { provider, attempts, sessions }) => {
      const attempt = await attempts.finish(request, response);
      if (attempt === undefined) {
        sendMessage(response, NO_ATTEMPT);
        return;
      }
      const found = await provider.exchange(queryIn(request), attempt);
      if (found.kind === 'refused') {
        sendMessage(response, notLoggedIn(found.why));
        return;
      }
      const { proof } = found.tokens;
      const identified = await context.identify(proof, new Date());
      if (identified.kind === 'nobody') {
        sendMessage(response, notLoggedIn(identified.why));
        return;
      }
      const waitS = await limits.ofPerson(identified.person.login);
      if (waitS > 0) {
        refuseFor(response, waitS);
        return;
      }
      if (!(await sessions.begin(response, found.tokens))) {
        sendMessage(response, notLoggedIn(TOO_LONG));
        return;
      }
      // Relative, so that a proxy may add a prefix.
      response.redirect(303, `..${attempt.to}`);
    }),
  );

  router.post('/logout', express.urlencoded({ limit: BODY_LIMIT, extended: false }), async (request, response) => {
    const visitor = await visitorOf(context, request);
    const scope = whereIn(request);
    if (visitor.kind === 'person' && !isOwn(context.csrf, visitor, request)) {
      sendMessage(response, OLD_PAGE);
      return;
    }
    const opened = await login?.sessions.open(request).catch(() => undefined);
    login?.sessions.end(response);
    const tokens = opened?.kind === 'open' ? opened.session.tokens : undefined;
    if (login === undefined || tokens === undefined)
      return void response.send(logoutPage({ sentence: 'You are logged out.' }).markup);
    const { provider } = login;
    const sentence = await provider
      .revoke(tokens, scope)
      .then(() => (scope === 'here' ? HERE : EVERYWHERE))
      .catch((err: unknown) => {
        logger.warn({ err }, 'a login could not be ended at its provider');
        return NOT_REVOKED;
      });
    const url = await provider.logoutUrl(tokens).catch(() => undefined);
    const also = url && { name: provider.name, url: url.href };
    response.send(logoutPage({ sentence, provider: also }).markup);
  });
  return router;
}

async function visitorOf({ findVisitor, logger }: Context, request: Request) {
  try {
    return await findVisitor(request);
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    logger.warn({ err: error }, 'nobody says who somebody is');
    return { kind: 'unavailable' as const };
  }
}

function queryIn({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at);
}

function whereIn(request: Request): LogoutScope {
  const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>; // As the parser of forms leaves it.
  return fields['where'] === 'everywhere' ? 'everywhere' : 'here';
}

function refuseFor(response: Response, waitS: number): void {
  response.set('retry-after', String(waitS));
  sendMessage(response, TOO_MANY);
}

const TOO_LONG =
  'what the provider says of you is too long for a browser to keep: ask the operators to ask it for fewer claims';

const HERE = 'You are logged out in this browser.';
const EVERYWHERE = 'You are logged out here at once, and everywhere else within half a minute.';
const NOT_REVOKED =
  'You are logged out in this browser, but the provider could not be told. To be safe, end the login on its own pages.';

function notLoggedIn(why: string): Message {
  return {
    status: 403,
    title: 'Not logged in',
    sentence: `The login did not succeed: ${why}. Open /login to try again.`,
  };
}

function unavailable(provider: string): Message {
  const sentence = `${provider} does not answer, so nobody can log in at the moment. Links of deployments and pull requests open as ever. Try again in a moment.`;
  return { status: 503, title: 'Not now', sentence };
}

const NO_LOGIN: Message = { status: 404, title: 'Not found', sentence: 'Nobody logs in on this page of this console.' };

const NO_ATTEMPT: Message = {
  status: 403,
  title: 'Not logged in',
  sentence:
    'This login did not begin in this browser, was used already, or began more than ten minutes ago. Open /login to try again.',
};

const OLD_PAGE: Message = {
  status: 403,
  title: 'Not done',
  sentence: 'This did not come from a page of this console, or from one of another login: load the page again.',
};

const TOO_MANY: Message = {
  status: 429,
  title: 'Too many requests',
  sentence: 'Somebody tried to log in very often from here: wait a little.',
};
