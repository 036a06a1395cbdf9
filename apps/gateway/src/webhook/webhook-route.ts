import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { Context } from '../context.ts';
import { KNOWN_EVENTS, OTHER_EVENT } from '../events/read-event.ts';
import { refused, type Answer } from './answer.ts';
import { refusalByHeaders, handleWebhook } from './handle-webhook.ts';

/** GitHub sends no larger webhooks. */
export const BODY_LIMIT = 25 * 1024 * 1024;

/** For all bodies together: two of the largest, or hundreds of usual ones. */
export const BODIES_LIMIT = 64 * 1024 * 1024;

/** Refuses by the headers, before the body takes any memory. Its sender is not listened to any further. */
export function judgeHeaders(context: Context): RequestHandler {
  return (request, response, next) => {
    const refusal = refusalByHeaders(request.headers);
    if (refusal === undefined) {
      next();
      return;
    }
    response.setHeader('Connection', 'close');
    respond(context, request, response, refusal);
  };
}

/** Reads the body as bytes, whatever its content type. Compressed bodies are refused, because GitHub sends none. */
export function readBody(): RequestHandler {
  return express.raw({ type: () => true, limit: BODY_LIMIT, inflate: false });
}

export function webhookRoute(context: Context): RequestHandler {
  return async (request, response) => {
    // Express leaves `body` undefined when the request has none.
    const body: unknown = request.body;
    const answer = await handleWebhook(context, {
      headers: request.headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    });
    respond(context, request, response, answer);
  };
}

/** An unreadable body and a bug of ours are answered like any webhook. */
export function webhookErrorHandler(context: Context): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    if (response.headersSent) next(error);
    else respond(context, request, response, answerTo(error));
  };
}

function answerTo(error: unknown): Answer {
  switch (typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return refused(413, `expected a body of at most ${BODY_LIMIT} bytes`);
    case 'encoding.unsupported':
      return refused(415, 'expected a body without Content-Encoding');
    case 'request.aborted':
    case 'request.size.invalid':
      return refused(400, 'expected as many bytes as Content-Length says');
    default:
      return { status: 500, message: 'something went wrong here; the log says what', outcome: 'failed', cause: error };
  }
}

function respond(context: Context, request: Request, response: Response, answer: Answer): void {
  record(context, request, answer);
  if (answer.retryAfter !== undefined) response.setHeader('Retry-After', answer.retryAfter);
  response.status(answer.status).json({ message: answer.message });
}

function record({ logger, metrics }: Context, request: Request, answer: Answer): void {
  const event = request.get('X-GitHub-Event') ?? '';
  metrics.webhooks.inc({ event: KNOWN_EVENTS.has(event) ? event : OTHER_EVENT, outcome: answer.outcome });
  const { status, message, outcome, repository, cause } = answer;
  const delivery = request.get('X-GitHub-Delivery')?.slice(0, 64);
  const fields = { delivery, event: event.slice(0, 64), repository, status, outcome, answer: message };
  if (cause === undefined) logger.info(fields, 'webhook');
  else logger.error({ ...fields, err: cause }, 'webhook');
}
