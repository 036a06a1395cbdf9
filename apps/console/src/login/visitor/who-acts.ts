import { ProviderUnavailableError } from '@nereid/identity';
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Message } from '../../platform/http/send-message.ts';
import { secondsToWait } from '../../platform/limits/seconds-to-wait.ts';
import { isOwn, type Csrf } from './csrf.ts';
import { ANONYMOUS, unauthorised } from './unauthorised.ts';
import type { KnownVisitor, Visitor, VisitorFinder } from './visitor.ts';

export type Acting =
  | { readonly kind: 'person'; readonly visitor: KnownVisitor }
  | { readonly kind: 'message'; readonly message: Message; readonly retryAfterS?: number };

export interface ActingSources extends VisitorFinder {
  readonly csrf: Csrf;
}

/** Faster than anybody clicks, and enough for a script that confirms a rollout; then a request a second. */
const REQUESTS = { points: 60, duration: 60 };

/** The person who may ask for something: logged in, on our own page, not too often. */
export function createWhoActs({ findVisitor, csrf, logger }: ActingSources): (request: Request) => Promise<Acting> {
  const limiter = new RateLimiterMemory(REQUESTS);

  async function visitorOf(request: Request): Promise<Visitor | 'unavailable'> {
    try {
      return await findVisitor(request);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error;
      logger.warn({ err: error }, 'nobody can say who a person is');
      return 'unavailable';
    }
  }

  return async (request) => {
    const visitor = await visitorOf(request);
    if (visitor === 'unavailable') return { kind: 'message', message: UNAVAILABLE, retryAfterS: 5 };
    if (visitor.kind === 'anonymous') return { kind: 'message', message: ANONYMOUS };
    if (visitor.kind === 'local') return { kind: 'message', message: NO_NAME };
    if (visitor.kind === 'refused') return { kind: 'message', message: unauthorised(visitor.why) };
    const isWrite = request.method !== 'GET';
    if (isWrite && visitor.by === 'browser' && !isOwn(csrf, visitor, request))
      return { kind: 'message', message: OLD_PAGE };
    const { login, token } = visitor.person;
    const waitS = isWrite ? await secondsToWait(limiter, `${login.toLowerCase()} ${token?.name ?? ''}`) : 0;
    if (waitS > 0) return { kind: 'message', message: TOO_MANY, retryAfterS: waitS };
    return { kind: 'person', visitor };
  };
}

const NO_NAME: Message = unauthorised(
  'nobody may act here: set console.login to { local: { as: <GitHub login> } } in the server\'s file, or send a token as "Authorization: Bearer"',
);

const OLD_PAGE: Message = {
  status: 403,
  title: 'Not done',
  sentence: 'This did not come from a page of this console, or from one of another login: load the page again.',
};

const TOO_MANY: Message = {
  status: 429,
  title: 'Too many requests',
  sentence: 'You asked for more than 60 things within a minute: wait a little.',
};

const UNAVAILABLE: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'Nobody can say who you are at the moment, so nothing was done: try again.',
};
