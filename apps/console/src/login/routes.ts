/** How people log in, and out. */
import type { LoginMode } from '@nereid/config';
import { ProviderUnavailableError, type Identify } from '@nereid/identity';
import express, { Router, type Request, type Response } from 'express';
import { sendMessage, type Message } from '../platform/http/send-message.ts';
import type { Login } from './create-login.ts';
import { logOut, type LogoutSources } from './log-out.ts';
import { ownPath } from './own-path.ts';
import { loginPage } from './pages.ts';
import { visitorOf } from './visitor/visitor-of.ts';

export interface LoginRouteSources extends LogoutSources {
  readonly identify: Identify;
  readonly loginMode: LoginMode | undefined;
}

/** Two short fields. */
const BODY_LIMIT = '4kb';

/** What a step of a login ends with. */
type Step =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'message'; readonly message: Message; readonly retryAfterS?: number };

type RunStep = (request: Request, response: Response, login: Login) => Promise<Step>;

export function loginRoutes(sources: LoginRouteSources): Router {
  const router = Router();
  const { login, logger } = sources;

  async function step(run: RunStep, request: Request, response: Response): Promise<Step> {
    if (login === undefined) return messageOf(NO_LOGIN);
    try {
      return await run(request, response, login);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error;
      logger.warn({ err: error }, 'nobody can log in');
      return messageOf(unavailable(login.provider.name));
    }
  }

  const begin: RunStep = async (request, response, { provider, attempts }) => {
    const attempt = await attempts.begin(response, ownPath(request.query['to']) ?? '/');
    return { kind: 'redirect', to: (await provider.loginUrl(attempt)).href };
  };

  const finish: RunStep = async (request, response, { provider, attempts, sessions, limits }) => {
    const attempt = await attempts.finish(request, response);
    if (attempt === undefined) return messageOf(NO_ATTEMPT);
    const address = limits.addressOf(request);
    const waitForAddressS = await limits.ofAddress(address);
    if (waitForAddressS > 0) return tooMany(waitForAddressS);
    const found = await limits.unlessBusy(() => provider.exchange(queryIn(request), attempt));
    if (found === 'busy') return { kind: 'message', message: BUSY, retryAfterS: 1 };
    if (found.kind === 'refused') return notLoggedIn(found.why);
    const identified = await sources.identify(found.tokens.proof, new Date());
    if (identified.kind === 'nobody') return notLoggedIn(identified.why);
    await limits.succeeded(address);
    const waitS = await limits.ofPerson(identified.person.login);
    if (waitS > 0) return tooMany(waitS);
    if (!(await sessions.begin(response, found.tokens))) return notLoggedIn(TOO_LONG);
    // Relative, so that a proxy may add a prefix.
    return { kind: 'redirect', to: `..${attempt.to}` };
  };

  router.get('/login', async (request, response) => {
    const visitor = await visitorOf(sources, request);
    const csrf = visitor.kind === 'person' && visitor.by === 'browser' ? sources.csrf.tokenFor(visitor) : undefined;
    const to = ownPath(request.query['to']) ?? '/';
    response.send(loginPage({ mode: sources.loginMode, provider: login?.provider, visitor, csrf, to }).markup);
  });
  router.get('/login/start', async (request, response) => {
    send(response, await step(begin, request, response));
  });
  router.get('/login/callback', async (request, response) => {
    send(response, await step(finish, request, response));
  });
  router.post('/logout', express.urlencoded({ limit: BODY_LIMIT, extended: false }), (request, response) =>
    logOut(sources, request, response),
  );
  return router;
}

function send(response: Response, step: Step): void {
  if (step.kind === 'redirect') {
    response.redirect(303, step.to);
    return;
  }
  if (step.retryAfterS !== undefined) response.set('retry-after', String(step.retryAfterS));
  sendMessage(response, step.message);
}

function messageOf(message: Message): Step {
  return { kind: 'message', message };
}

function tooMany(retryAfterS: number): Step {
  return { kind: 'message', message: TOO_MANY, retryAfterS };
}

function queryIn({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at);
}

const TOO_LONG =
  'what the provider says about you is too long for a browser to keep: ask the operators to ask it for fewer claims';

function notLoggedIn(why: string): Step {
  const sentence = `The login did not succeed: ${why}. Open /login to try again.`;
  return messageOf({ status: 403, title: 'Not logged in', sentence });
}

function unavailable(provider: string): Message {
  const sentence = `${provider} does not answer, so nobody can log in at the moment. Links to deployments and pull requests still open. Try again in a moment.`;
  return { status: 503, title: 'Not now', sentence };
}

const NO_LOGIN: Message = { status: 404, title: 'Not found', sentence: 'Nobody logs in on this page of this console.' };

const NO_ATTEMPT: Message = {
  status: 403,
  title: 'Not logged in',
  sentence:
    'This login did not begin in this browser, was used already, or began more than ten minutes ago. Open /login to try again.',
};

const BUSY: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'Very many people are logging in at the moment. Open /login to try again.',
};

const TOO_MANY: Message = {
  status: 429,
  title: 'Too many requests',
  sentence: 'Too many attempts to log in came from here: wait a little.',
};
