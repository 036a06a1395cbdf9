/**
 * Sessions of people who logged in. A session is in the browser's cookie and nowhere else, sealed, so that any console with the key
 * can serve it. It is short, goes on while it is used, and ends for good after half a day. What storage has of it is its end.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ProviderUnavailableError } from '@nereid/identity';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Exchanged, LoginProvider, LoginTokens } from '../provider/provider.ts';
import type { CookieSealer } from './cookie-sealer.ts';
import { clearCookie, COOKIE_LIMIT, readCookie, setCookie } from './cookies.ts';
import type { EndedSessions } from './ended-sessions.ts';

export interface Session {
  /** New with each login, so that nobody can set one before it. */
  readonly id: string;
  /** When the person logged in, in milliseconds since 1970. */
  readonly since: number;
  readonly tokens: LoginTokens;
}

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

/** A working day; then the provider has its say again. */
const TOTAL_MS = 12 * 3_600_000;

/** A page asks every few seconds, and need not get a new cookie each time. */
const RENEWED_AFTER_MS = 5 * 60_000;

/** Before its end, so that what is asked with it meanwhile still counts when it arrives. */
const REFRESHED_BEFORE_MS = 60_000;

/** The pages that a browser asks for at once come with the same old refresh token, which counts once. */
const REFRESHED_KEPT_MS = 60_000;
const REFRESHED_LIMIT = 5_000;

const Claims = z.object({
  sid: z.uuid(),
  since: z.number(),
  iat: z.number(),
  tokens: z.object({
    proof: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('github'), token: z.string() }),
      z.object({ mode: z.literal('oidc'), idToken: z.string() }),
    ]),
    refreshToken: z.string().exactOptional(),
    expiresAt: z.number().exactOptional(),
  }),
});

export interface SessionsOptions {
  readonly sealer: CookieSealer;
  readonly provider: LoginProvider;
  readonly ended: EndedSessions;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createSessions({ sealer, provider, ended, logger }: SessionsOptions): Sessions {
  const refreshed = new LRUCache<string, Promise<Exchanged>>({ max: REFRESHED_LIMIT, ttl: REFRESHED_KEPT_MS });

  /** False when it is too long, also without its refresh token. */
  async function keep(response: Response, { id: sid, since, tokens }: Session): Promise<boolean> {
    const lifeS = Math.min(IDLE_S, Math.ceil((since + TOTAL_MS - Date.now()) / 1_000));
    const { refreshToken: _long, ...shorter } = tokens;
    for (const kept of [tokens, shorter]) {
      const text = await sealer.seal('session', { sid, since, tokens: kept }, lifeS);
      if (text.length > COOKIE_LIMIT) continue;
      setCookie(response, COOKIE, text, lifeS * 1_000);
      return true;
    }
    return false;
  }

  function refreshOnce(tokens: LoginTokens): Promise<Exchanged> {
    const key = createHash('sha256')
      .update(tokens.refreshToken ?? '')
      .digest('hex');
    const asked = refreshed.get(key);
    if (asked !== undefined) return asked;
    const answer = provider.refresh(tokens);
    refreshed.set(key, answer);
    answer.catch(() => refreshed.delete(key));
    return answer;
  }

  /** Undefined when there is nothing to do, or when it can wait until the provider is back. */
  async function refreshedTokens(tokens: LoginTokens): Promise<Exchanged | undefined> {
    const { expiresAt, refreshToken } = tokens;
    if (refreshToken === undefined || expiresAt === undefined) return undefined;
    if (expiresAt - Date.now() > REFRESHED_BEFORE_MS) return undefined;
    try {
      return await refreshOnce(tokens);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError) || expiresAt <= Date.now()) throw error;
      logger.warn({ err: error }, 'a login cannot be renewed yet');
      return undefined;
    }
  }

  async function read(request: Request): Promise<z.output<typeof Claims> | undefined> {
    const text = readCookie(request, COOKIE);
    const claims = Claims.safeParse(text === undefined ? undefined : await sealer.open('session', text));
    return claims.success && claims.data.since + TOTAL_MS > Date.now() ? claims.data : undefined;
  }

  return {
    async open(request) {
      const claims = await read(request);
      if (claims === undefined) return { kind: 'none' };
      const { sid: id, since, iat, tokens } = claims;
      if (await ended.has(id)) return { kind: 'over', why: 'you logged out: log in again' };
      // In the middle of an answer, no browser can be given the new ones, and the old ones would count no more.
      const canKeep = request.res?.headersSent === false;
      const news = canKeep ? await refreshedTokens(tokens) : undefined;
      // Another console may have refreshed it, so the cookie stays: the browser may have a newer one by now.
      if (news?.kind === 'refused') return { kind: 'over', why: `your login ended (${news.why}): log in again` };
      const session = { id, since, tokens: news?.tokens ?? tokens };
      const isOld = Date.now() - iat * 1_000 > RENEWED_AFTER_MS;
      if ((news !== undefined || isOld) && canKeep && request.res) await keep(request.res, session);
      return { kind: 'open', session };
    },
    begin: (response, tokens) => keep(response, { id: randomUUID(), since: Date.now(), tokens }),
    async end(request, response) {
      clearCookie(response, COOKIE);
      const claims = await read(request);
      return claims === undefined || ended.end(claims.sid, claims.since + TOTAL_MS);
    },
  };
}
