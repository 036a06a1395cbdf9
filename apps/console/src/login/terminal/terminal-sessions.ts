/**
 * Sessions of people who logged in from a terminal: a text that `nereid` keeps in a file and sends as a bearer token. It is sealed like
 * a browser's, and counts as none. It ends half a day after the login.
 *
 * What it is renewed with counts once, and some providers end a whole login when it comes a second time. Several `nereid` send the same
 * session at once, to several consoles that know nothing of each other; so a request never renews it. A session that is due is refused,
 * and one `nereid` asks for a new one.
 */
import { randomUUID } from 'node:crypto';
import { SESSION_PREFIX } from '@nereid/api';
import type { LoginTokens } from '../provider/provider.ts';
import type { EndedSessions } from '../session/ended-sessions.ts';
import { isDue, type Refresh } from '../session/refresh.ts';
import type { Sealer } from '../session/sealer.ts';
import { endOf, restOf, sealSession, sessionIn, type SealedSession, type Session } from '../session/session.ts';

export type OpenedTerminal =
  | { readonly kind: 'open'; readonly session: Session }
  /** It has to be renewed first, or is over: a clause for the person. */
  | { readonly kind: 'refused'; readonly why: string };

export interface TerminalSessions {
  /** Returns its text; undefined when its tokens are too long for a request. */
  begin(tokens: LoginTokens): Promise<string | undefined>;
  /** Asks no provider. */
  open(text: string): Promise<OpenedTerminal>;
  /** With new tokens when it is due. `text` is what counts from now on. Throws a `ProviderUnavailableError`. */
  renew(text: string): Promise<Renewed>;
  /** Ends it for all who have its text, whoever is away. */
  end(text: string): Promise<EndedTerminal>;
  /** What is left of an ended one at the provider; undefined when nothing is. Throws a `ProviderUnavailableError`. */
  tokensLeft(session: Session): Promise<LoginTokens | undefined>;
}

export type EndedTerminal =
  | { readonly kind: 'ended'; readonly session: Session; readonly areOthersTold: boolean }
  | Extract<OpenedTerminal, { readonly kind: 'refused' }>;

export type Renewed =
  | { readonly kind: 'renewed'; readonly session: Session; readonly text: string }
  | Extract<OpenedTerminal, { readonly kind: 'refused' }>;

const PURPOSE = 'terminal-session';

/** Node takes headers of 16 KB in a request; the others need some of them. */
const LENGTH_LIMIT = 12_000;

export interface TerminalSessionsOptions {
  readonly sealer: Sealer;
  readonly refresh: Refresh;
  readonly ended: EndedSessions;
}

export function createTerminalSessions({ sealer, refresh, ended }: TerminalSessionsOptions): TerminalSessions {
  async function seal(session: Session): Promise<string | undefined> {
    const text = await sealSession(sealer, session, {
      purpose: PURPOSE,
      lifeS: restOf(session),
      limit: LENGTH_LIMIT - SESSION_PREFIX.length,
    });
    return text === undefined ? undefined : SESSION_PREFIX + text;
  }

  async function sessionOf(text: string): Promise<SealedSession | undefined> {
    const session = sessionIn(await sealer.open(PURPOSE, text.slice(SESSION_PREFIX.length)));
    return session !== undefined && (await ended.has(session.id)) ? undefined : session;
  }

  return {
    begin: (tokens) => seal({ id: randomUUID(), since: Date.now(), tokens }),
    async open(text) {
      const session = await sessionOf(text);
      if (session === undefined) return { kind: 'refused', why: NONE };
      return isDue(session.tokens, session.sealedAt) ? { kind: 'refused', why: DUE } : { kind: 'open', session };
    },
    async renew(text) {
      const session = await sessionOf(text);
      if (session === undefined) return { kind: 'refused', why: NONE };
      const news = await refresh(session.tokens);
      if (news === undefined) return { kind: 'renewed', session, text };
      if (news.kind === 'refused') return { kind: 'refused', why: `your login ended (${news.why}): ${AGAIN}` };
      const renewed = { ...session, tokens: news.tokens };
      const sealed = await seal(renewed);
      return sealed === undefined
        ? { kind: 'refused', why: TOO_LONG }
        : { kind: 'renewed', session: renewed, text: sealed };
    },
    async end(text) {
      const session = await sessionOf(text);
      if (session === undefined) return { kind: 'refused', why: NONE };
      return { kind: 'ended', session, areOthersTold: await ended.end(session.id, endOf(session)) };
    },
    async tokensLeft({ tokens }) {
      const news = await refresh(tokens);
      return news?.kind === 'refused' ? undefined : (news?.tokens ?? tokens);
    },
  };
}

const AGAIN = 'log in again: nereid login';
const NONE = `this login has ended, or is one of another console: ${AGAIN}`;
const DUE = 'this login has to be renewed, which nereid does by itself';
const TOO_LONG = `what the provider says about you has become too long for a request: ${AGAIN}`;
