/**
 * GitHub's manifest flow: a page on this machine sends the person to GitHub with the manifest, and they come back with a code.
 * Anybody else who comes, on this machine or through a page in the person's browser, knows neither the address of the page nor
 * the state.
 */
import { defined } from '@nereid/domain/defined';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorFields } from '../../error-fields.ts';
import { throwIfEnded } from '../../client/send.ts';
import { EXIT, ExitError, wrongUsage } from '../../exit-code.ts';
import type { Answers } from '../kept/answers.ts';
import type { App } from '../kept/app.ts';
import { manifestOf, newAppPage, reasonsOf } from './manifest.ts';
import { askPage, headersOf, madePage, sentencePage } from './page.ts';

export interface RegisterOptions {
  readonly answers: Answers;
  /** Undefined: any free one. */
  readonly port: number | undefined;
  readonly signal: AbortSignal;
  /** Gets the address to open. */
  readonly isOpen: (address: string, port: number) => void;
  /** Trades the code, and keeps what came of it. */
  readonly convert: (code: string) => Promise<App>;
}

/** A browser asks for the last page at once, where one is there at all. */
const LAST_PAGE_MS = 5_000;

/** A person has one browser; a page and its icon take two connections. */
const MOST_CONNECTIONS = 20;

/** Resolves with the App once it is kept. Throws a sentence, which the browser shows as well. */
export async function registerApp({ answers, port: asked, signal, isOpen, convert }: RegisterOptions): Promise<App> {
  const server = createServer();
  const port = await listen(server, asked);
  const visit = createVisit(answers, port);
  server.on('request', (request, response) => {
    void visit.answer(request, response);
  });
  try {
    isOpen(`http://127.0.0.1:${port}${visit.path}`, port);
    const app = await convert(await orEnded(visit.code, signal));
    visit.end({ kind: 'made', app });
    await lastPage(visit.isShown, signal);
    return app;
  } catch (error) {
    if (error instanceof ExitError && error.message !== '') {
      visit.end({ kind: 'failed', sentence: error.message });
      if (visit.hasCode()) await lastPage(visit.isShown, signal);
    }
    throw error;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type End = { readonly kind: 'made'; readonly app: App } | { readonly kind: 'failed'; readonly sentence: string };

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly to?: string;
}

const CALLBACK = '/callback';
const END = '/end';

/** As GitHub makes them, and far longer. */
const CODE = /^[\w-]{1,200}$/;

function createVisit(answers: Answers, port: number) {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const state = randomBytes(32).toString('base64url');
  const code = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<End>();
  const shown = Promise.withResolvers<undefined>();
  let hasCode = false;

  function firstPage(): Reply {
    const manifest = manifestOf(answers, `http://127.0.0.1:${port}${CALLBACK}`);
    const action = `${newAppPage(answers)}?state=${state}`;
    const permissions = reasonsOf(manifest);
    const { host } = new URL(answers.githubUrl);
    return { status: 200, body: askPage({ action, manifest, host, permissions }) };
  }

  function comeBack(query: URLSearchParams): Reply {
    const found = query.get('code') ?? '';
    if (!isSame(query.get('state') ?? '', state))
      return refusal(403, 'This does not answer the request of nereid setup.');
    if (!CODE.test(found)) return refusal(400, 'Expected a code from GitHub, found none. Begin again in the terminal.');
    if (hasCode) return refusal(409, 'This answer was taken already. Go on in the terminal.');
    hasCode = true;
    code.resolve(found);
    // So that the code stays in no history.
    return { status: 303, body: '', to: END };
  }

  async function lastReply(): Promise<Reply> {
    if (!hasCode) return refusal(404, NOTHING);
    const end = await ended.promise;
    if (end.kind === 'failed') return { status: 500, body: sentencePage('There is no App', end.sentence) };
    return { status: 200, body: madePage(installUrlOf(end.app)) };
  }

  async function replyTo({ method, url = '', headers }: IncomingMessage): Promise<Reply> {
    // A name of somebody else that leads to this machine is none of ours.
    if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return refusal(403, NOTHING);
    if (method !== 'GET') return refusal(405, NOTHING);
    const base = `http://127.0.0.1:${port}`;
    if (!URL.canParse(url, base)) return refusal(404, NOTHING);
    const { pathname, searchParams } = new URL(url, base);
    if (pathname === path) return firstPage();
    if (pathname === CALLBACK) return comeBack(searchParams);
    return pathname === END ? lastReply() : refusal(404, NOTHING);
  }

  return {
    path,
    code: code.promise,
    hasCode: () => hasCode,
    isShown: shown.promise,
    end: ended.resolve,
    async answer(request: IncomingMessage, response: ServerResponse) {
      const { status, body, to } = await replyTo(request);
      response.writeHead(status, {
        ...headersOf(new URL(answers.githubUrl).origin),
        ...defined({ location: to }),
      });
      response.end(body, () => {
        if (request.url === END && hasCode) shown.resolve(undefined);
      });
    },
  };
}

const NOTHING = 'There is nothing here. The terminal in which nereid setup runs has the address to open.';

function refusal(status: number, sentence: string): Reply {
  return { status, body: sentencePage('Not here', sentence) };
}

/** Where the person chooses repositories. */
export function installUrlOf({ url }: App): string {
  return `${url}/installations/new`;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function listen(server: Server, asked: number | undefined): Promise<number> {
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(asked ?? 0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw wrongUsage(`expected a free port of 127.0.0.1, found: ${errorFields(cause).message}; --port names another`);
  }
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('expected a server with a port');
  return address.port;
}

async function orEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfEnded(signal);
  const ended = Promise.withResolvers<never>();
  const end = () => {
    ended.reject(signal.reason instanceof Error ? signal.reason : new ExitError(EXIT.interrupted, ''));
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function lastPage(isShown: Promise<undefined>, signal: AbortSignal): Promise<void> {
  const enough = new AbortController();
  await Promise.race([
    isShown,
    sleep(LAST_PAGE_MS, undefined, { signal: AbortSignal.any([signal, enough.signal]) }),
  ]).catch(() => undefined);
  enough.abort();
}
