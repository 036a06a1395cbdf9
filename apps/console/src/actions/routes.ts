/** Everything that people do here: as JSON for programs and the page's script, and as forms where no script runs. */
import { ACTION_OPERATIONS, API_PATH, type ActionOperation } from '@nereid/api';
import type { ConsoleAction } from '@nereid/domain/actions';
import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { z } from 'zod';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import { createWhoActs, type ActingSources } from '../login/visitor/who-acts.ts';
import { badBody, BODY_PARSERS, foundIn, messageOfBody } from '../platform/http/bodies.ts';
import { withoutEmpty } from '../platform/http/lists.ts';
import { sendMessage, type Message } from '../platform/http/send-message.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import { answerOf, type Answer } from './answers.ts';
import { findTarget, type Input, type TargetSources } from './find-target.ts';
import type { Requests, Wanted } from './make-request.ts';
import { noSuch, notThere, whyNotThere, type RefusalSources } from './why-not-there.ts';

export interface ActionRouteSources extends ActingSources, TargetSources, RefusalSources {
  /** Undefined where the console only reads. */
  readonly requests: Requests | undefined;
}

/** As clients make them: a UUID, or a name of a run. */
const KEY = /^[\x21-\x7e]{1,200}$/;

export function actionRoutes(sources: ActionRouteSources): Router {
  const router = Router({ strict: true });
  const whoActs = createWhoActs(sources);

  async function act(name: ConsoleAction, request: Request): Promise<Answer> {
    const who = await whoActs(request);
    if (who.kind === 'message') return who;
    const input = inputOf(name, request);
    if (input.kind === 'message') return input;
    const idempotencyKey = request.get('idempotency-key');
    if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) return { kind: 'message', message: BAD_KEY };
    const target = await findTarget(sources, name, input.of);
    const absent = notThere(name, input.of.parameters);
    if (target.kind === 'absent') return { kind: 'message', message: absent };
    if (target.kind === 'unavailable') return { kind: 'message', message: NOT_NOW };
    const { wanted } = target;
    const refusal = await whyNotThere(sources, who.visitor, wanted, absent);
    if (refusal !== undefined) return { kind: 'message', message: refusal };
    return ask(who.visitor, wanted, idempotencyKey);
  }

  async function ask(visitor: KnownVisitor, wanted: Wanted, idempotencyKey: string | undefined): Promise<Answer> {
    if (sources.requests === undefined) return { kind: 'message', message: ONLY_READS };
    return answerOf(await sources.requests.make({ ...wanted, visitor, idempotencyKey }));
  }

  for (const [name, { path }] of Object.entries<ActionOperation>(ACTION_OPERATIONS)) {
    const route = API_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.post(route, BODY_PARSERS, async (request: Request, response: Response) => {
      send(request, response, await act(name as ConsoleAction, request)); // A key of the table.
    });
  }

  router.get(`${API_PATH}/requests/:id`, async (request, response) => {
    const who = await whoActs(request);
    if (who.kind === 'message') {
      send(request, response, who);
      return;
    }
    const answered = await sources.requests?.answerTo(who.visitor, request.params.id);
    send(request, response, answered === undefined ? { kind: 'message', message: NO_REQUEST } : answerOf(answered));
  });

  router.use(unreadableBody);
  return router;
}

type Read<T> = { readonly kind: 'read'; readonly of: T } | { readonly kind: 'message'; readonly message: Message };

function inputOf(name: ConsoleAction, request: Request): Read<Input> {
  const operation: ActionOperation = ACTION_OPERATIONS[name];
  const parameters = operation.parameters.safeParse(request.params);
  // What is no id names nothing.
  if (!parameters.success) return { kind: 'message', message: noSuch(name) };
  const query = operation.query.safeParse(withoutEmpty(request.query));
  const body = operation.body.safeParse(fieldsOf(request, operation));
  const { error } = query.success ? body : query;
  if (error !== undefined) return { kind: 'message', message: badBody(foundIn(error)) };
  return { kind: 'read', of: { parameters: parameters.data, query: query.data, body: body.data } as unknown as Input }; // By the schemas.
}

/** A form has the word of our page besides the fields of the operation, a list of one as its only item, and numbers as texts. */
function fieldsOf(request: Request, { body: schema }: ActionOperation): unknown {
  const body: unknown = request.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { csrf: _word, ...fields } = body as Readonly<Record<string, unknown>>; // An object that is no list.
  if (!request.is('urlencoded')) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldOf(schema.shape[name], value)]));
}

function fieldOf(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (schema instanceof z.ZodArray || schema instanceof z.ZodDefault) return [value];
  return schema instanceof z.ZodNumber ? Number(value) : value;
}

function send(request: Request, response: Response, answer: Answer): void {
  const isPage = request.accepts(['json', 'html']) === 'html';
  if (answer.kind === 'message') {
    if (answer.retryAfterS !== undefined) response.set('retry-after', String(answer.retryAfterS));
    (isPage ? sendMessage : sendProblem)(response, answer.message);
    return;
  }
  const { id, sentence, state } = answer.of;
  // Relative, so that a proxy may add a prefix.
  if (state === 'pending') response.set('location', `${'../'.repeat(depthOf(request))}requests/${id}`);
  if (isPage) sendMessage(response, { status: answer.status, title: 'Done', sentence });
  else response.status(answer.status).json(answer.of);
}

/** How many folders below the top of the API the request is. */
function depthOf({ path }: Request): number {
  return path.slice(API_PATH.length).split('/').length - 2;
}

const unreadableBody: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const message = messageOfBody(error);
  if (message === undefined) next(error);
  else send(request, response, { kind: 'message', message });
};

const BAD_KEY = badBody('an Idempotency-Key that is not 1 to 200 printable characters');
const ONLY_READS: Message = {
  status: 503,
  title: 'Only reads',
  sentence: 'This console only reads: it has no CONSOLE_KEY and no CONTROL_SEAL_PUBLIC_KEY.',
};
const NO_REQUEST: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'No such request of yours is known: it never arrived, or it is so old that it was forgotten.',
};
const NOT_NOW: Message = {
  status: 503,
  title: 'Not now',
  sentence: 'Storage or Temporal did not answer, so nothing was done: try again in a moment.',
};
