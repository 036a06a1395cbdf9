/** The console's API, as verbs use it: typed by the tables of operations that the console itself answers by. */
import { randomUUID } from 'node:crypto';
import {
  ACTION_OPERATIONS,
  API_PATH,
  CLIENT_HEADER,
  LOGIN_OPERATIONS,
  OPERATIONS,
  RequestAnswer,
  type LoginOperationName,
  type Operation,
  type OperationName,
} from '@nereid/api';
import type { ConsoleAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { z } from 'zod';
import { EXIT, ExitError, wrongUsage } from '../exit-code.ts';
import { jsonOf, proxyError, readReply, type Reply } from './read-answer.ts';
import { createSendAs, type Name } from './send-as.ts';
import { pause } from './send.ts';

export interface ClientOptions extends Name {
  /** The top of the console, without a trailing slash. */
  readonly console: string;
  /** For the login proxy before the console. */
  readonly proxyAuthorization?: string | undefined;
  readonly signal: AbortSignal;
}

/** As the console sent it, and as it is understood. */
export interface Answer<T> {
  readonly json: unknown;
  readonly value: T;
}

type Fields = Readonly<Record<string, string | number | undefined>>;

export interface Place {
  /** Parts of the path. */
  readonly parameters?: Fields;
  readonly query?: Fields;
}

export interface Client {
  readonly console: string;
  get<Name extends OperationName>(name: Name, place?: Place, signal?: AbortSignal): Promise<Answer<Answered<Name>>>;
  /** A text, as it comes. `resumeAt` is the place behind which it goes on. */
  open(name: OperationName, place: Place, more?: OpenOptions): Promise<Response>;
  /** Waits until there is an answer. Throws an `ExitError` when Nereid refuses, or `signal` ends the wait. */
  act(
    name: ConsoleAction,
    place: Place & { readonly body: object },
    signal: AbortSignal,
  ): Promise<Answer<RequestAnswer>>;
  /** One step of a login or a logout. */
  step<Name extends LoginOperationName>(
    name: Name,
    body: z.input<(typeof LOGIN_OPERATIONS)[Name]['body']>,
  ): Promise<Answer<LoginAnswered<Name>>>;
}

export interface OpenOptions {
  /** Of an event stream. */
  readonly resumeAt?: string | undefined;
  readonly signal?: AbortSignal;
}

export type Answered<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['answer']>;

export type LoginAnswered<Name extends LoginOperationName> = z.output<(typeof LOGIN_OPERATIONS)[Name]['answer']>;

/** The console has waited for some seconds itself. */
const ASK_AGAIN_MS = 1_000;

/** What Temporal did not answer in time may be known to it later: until then, that it is not known says nothing. */
const ARRIVES_WITHIN_MS = 60_000;

export function createClient({ console, token, renew, proxyAuthorization, signal }: ClientOptions): Client {
  const send = createSendAs({ token, renew });
  const headers = {
    accept: 'application/json, application/problem+json, text/plain, text/event-stream',
    [CLIENT_HEADER]: 'nereid',
    ...defined({ 'proxy-authorization': proxyAuthorization }),
  };
  const urlOf = (path: string, { parameters = {}, query = {} }: Place) => {
    const url = new URL(`${console}${API_PATH}${filled(path, parameters)}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url;
  };

  const ask = (url: URL, of: AbortSignal): Promise<Reply> => send({ url, method: 'GET', headers }, of, readReply);

  return {
    console,

    async get(name, place = {}, until = signal) {
      const { path, answer } = OPERATIONS[name];
      const reply = await ask(urlOf(path, place), until);
      const json = jsonOf(reply, { isOfOne: place.parameters !== undefined });
      return { json, value: understood(answer, json, reply.response.url) as Answered<typeof name> }; // By its own schema.
    },

    async open(name, place, { resumeAt, signal: until = signal } = {}) {
      const { path } = OPERATIONS[name];
      const url = urlOf(path, place);
      const resume = resumeAt === undefined ? {} : { 'last-event-id': resumeAt };
      const request = { url, method: 'GET', headers: { ...headers, ...resume } } as const;
      const { media }: Operation = OPERATIONS[name];
      const opened = await send<Opened>(request, until, async (response) =>
        isOf(response, media) ? { kind: 'open', response } : { kind: 'whole', reply: await readReply(response) },
      );
      if (opened.kind === 'open') return opened.response;
      jsonOf(opened.reply, { isOfOne: true });
      throw proxyError(opened.reply.response, 'JSON where a log was expected');
    },

    async act(name, { body, ...place }, limit) {
      const until = AbortSignal.any([signal, limit]);
      const write = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const arrivesByMs = performance.now() + ARRIVES_WITHIN_MS;
      const url = urlOf(ACTION_OPERATIONS[name].path, place);
      const request = { url, method: 'POST', headers: { ...headers, ...write }, body: JSON.stringify(body) } as const;
      let answerAt: URL | undefined;
      for (let reply = await send(request, until, readReply); ; reply = await ask(answerAt, until)) {
        const isOnItsWay = reply.response.status === 404 && performance.now() < arrivesByMs;
        if (answerAt === undefined || !isOnItsWay) {
          const json = jsonOf(reply, { isOfOne: true });
          const value = understood(RequestAnswer, json, reply.response.url);
          if (value.state !== 'pending') return { json, value };
          answerAt = placeOfAnswer(reply.response, value);
        }
        await pause(ASK_AGAIN_MS, until);
      }
    },

    async step(name, body) {
      const { path, answer } = LOGIN_OPERATIONS[name];
      const write = { ...headers, 'content-type': 'application/json' };
      const request = { url: urlOf(path, {}), method: 'POST', headers: write, body: JSON.stringify(body) } as const;
      const reply = await send(request, signal, readReply);
      const json = jsonOf(reply, { isOfOne: true });
      return { json, value: understood(answer, json, reply.response.url) as LoginAnswered<typeof name> }; // By its own schema.
    },
  };

  /** Where the console says, as far as it is a place of its own: the token goes nowhere else. */
  function placeOfAnswer({ headers: found, url }: Response, { id }: RequestAnswer): URL {
    const location = found.get('location');
    const own = urlOf(OPERATIONS.getRequest.path, { parameters: { id } });
    const named = location !== null && URL.canParse(location, url) ? new URL(location, url) : own;
    return named.origin === own.origin ? named : own;
  }
}

type Opened =
  { readonly kind: 'open'; readonly response: Response } | { readonly kind: 'whole'; readonly reply: Reply };

function isOf({ ok, headers }: Response, media: string | undefined): boolean {
  return ok && media !== undefined && (headers.get('content-type') ?? '').startsWith(media);
}

/** Dots are the names of folders in every address, encoded or not. */
function filled(path: string, parameters: Fields): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(parameters[name]);
    if (value === '.' || value === '..' || value === '') throw wrongUsage(`expected a name, found "${value}"`);
    return encodeURIComponent(value);
  });
}

function understood<S extends z.ZodType>(schema: S, json: unknown, url: string): z.output<S> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') ?? '';
  const message = `expected an answer of this release of Nereid at ${new URL(url).origin}, found at ${where === '' ? 'its top' : where}: ${issue?.message ?? ''}; use the nereid of the console's release`;
  throw new ExitError(EXIT.notNow, message);
}
