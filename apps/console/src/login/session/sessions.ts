/**
 * Sessions of people who logged in with a browser. A session is in the browser's cookie and nowhere else, sealed, so that any console
 * with the key can serve it. It is short, goes on while it is used, and ends for good after half a day. What storage has of it is that
 * it was ended.
 */
import { randomUUID } from 'node:crypto';
import { ProviderUnavailableError } from '@nereid/identity';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Exchanged, LoginTokens } from '../provider/provider.ts';
import { clearCookie, COOKIE_LIMIT, readCookie, setCookie } from './cookies.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { Refresh } from './refresh.ts';
import type { Sealer } from './sealer.ts';
import { endOf, restOf, sealSession, sessionIn, type SealedSession, type Session } from './session.ts';

export type Opened =
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly session: Session }
  /** A clause for the person. */
  | { readonly kind: 'over'; readonly why: string };

export interface Sessions {
  /** Renews the cookie in the response to the request, when it is time. Throws a `ProviderUnavailableError`. */
  open(request: Request): Promise<Opened>;
  /** Begins a session. False when its tokens are too long for a browser to keep. */
  begin(response: Response, tokens: LoginTokens): Promise<boolean>;
  /** Ends the session of the request, for all who have its cookie. False when other consoles could not be told. */
  end(request: Request, response: Response): Promise<boolean>;
}

const COOKIE = 'nereid';

/** Without a page open for this long, a person is logged out. */
const IDLE_S = 3_600;

/** A page asks every few seconds, and need not get a new cookie each time. */
const RENEWED_AFTER_MS = 5 * 60_000;

export interface SessionsOptions {
  readonly sealer: Sealer;
  readonly refresh: Refresh;
  readonly ended: EndedSessions;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createSessions({ sealer, refresh, ended, logger }: SessionsOptions): Sessions {
  /** False when it is too long. */
  async function keep(response: Response, session: Session): Promise<boolean> {
    const lifeS = Math.min(IDLE_S, restOf(session));
    const text = await sealSession(sealer, session, { purpose: 'session', lifeS, limit: COOKIE_LIMIT });
    if (text !== undefined) setCookie(response, COOKIE, text, lifeS * 1_000);
    return text !== undefined;
  }

  /** Undefined when there is nothing to do, or when it can wait until the provider is back. */
  async function refreshed(tokens: LoginTokens): Promise<Exchanged | undefined> {
    try {
      return await refresh(tokens);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError) || isOver(tokens)) throw error;
      logger.warn({ err: error }, 'a login cannot be renewed yet');
      return undefined;
    }
  }

  async function read(request: Request): Promise<SealedSession | undefined> {
    const text = readCookie(request, COOKIE);
    return sessionIn(text === undefined ? undefined : await sealer.open('session', text));
  }

  return {
    async open(request) {
      const found = await read(request);
      if (found === undefined) return { kind: 'none' };
      const { sealedAt, ...before } = found;
      if (await ended.has(before.id)) return { kind: 'over', why: 'you logged out: log in again' };
      // In the middle of an answer, no browser can be given the new tokens, and the old ones would count no more.
      const canKeep = request.res?.headersSent === false;
      const news = canKeep ? await refreshed(before.tokens) : undefined;
      if (news?.kind === 'refused') {
        // Another console may have refreshed it for the same browser a moment ago, so the cookie stays: it may be a newer one by now.
        if (isOver(before.tokens)) return { kind: 'over', why: `your login ended (${news.why}): log in again` };
        return { kind: 'open', session: before };
      }
      const session = { ...before, tokens: news?.tokens ?? before.tokens };
      const isOld = Date.now() - sealedAt > RENEWED_AFTER_MS;
      if ((news !== undefined || isOld) && canKeep && request.res) await keep(request.res, session);
      return { kind: 'open', session };
    },
    begin: (response, tokens) => keep(response, { id: randomUUID(), since: Date.now(), tokens }),
    async end(request, response) {
      clearCookie(response, COOKIE);
      const session = await read(request);
      return session === undefined || ended.end(session.id, endOf(session));
    },
  };
}

function isOver({ expiresAt = Infinity }: LoginTokens): boolean {
  return expiresAt <= Date.now();
}
