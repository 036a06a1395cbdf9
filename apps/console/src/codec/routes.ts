/** The codec server of Temporal's UI and CLI: shows people what they may read of sealed messages, and unpacks compressed ones. */
import type { PayloadCodec } from '@temporalio/common';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { readingOf, type ReadingSources } from '../access/reading.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import { decodeFor, type Decoding } from './decode-for.ts';

/** With which the console shows people what is sealed or compressed in Temporal. */
export interface Codec {
  readonly codec: PayloadCodec;
  /** The origin of Temporal's UI; undefined where no page may ask. */
  readonly uiOrigin: string | undefined;
}

export interface CodecRouteSources extends ReadingSources, Omit<Decoding, 'codec'> {
  readonly codec: Codec;
}

export const CODEC_PATH = '/codec';

/** The largest payload that Temporal takes, in base64, and some. */
const BODY_LIMIT = '4mb';

/** More than the events of a page have. */
const PAYLOADS_LIMIT = 2_000;

const Base64 = z
  .base64()
  .default('')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/** `temporal.api.common.v1.Payloads` as JSON. */
const Payloads = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), Base64).default({}), data: Base64 })).max(PAYLOADS_LIMIT),
});

export function codecRoutes(sources: CodecRouteSources): Router {
  const router = Router({ strict: true });
  const { codec } = sources;
  router.use(CODEC_PATH, onlyFrom(codec.uiOrigin));
  router.post(
    `${CODEC_PATH}/decode`,
    onlyReaders(sources),
    express.json({ limit: BODY_LIMIT, strict: true }),
    async (request: Request, response: Response) => {
      const reading = await readingOf(sources, request);
      const asked = Payloads.safeParse(request.body);
      if (reading.kind === 'refused') sendProblem(response, reading.message);
      else if (!asked.success) sendProblem(response, NOT_UNDERSTOOD);
      else {
        const payloads = await decodeFor({ ...sources, codec: codec.codec }, reading.reader, asked.data.payloads);
        response.json({ payloads: payloads.map(written) });
      }
    },
  );
  router.use(CODEC_PATH, unreadableBody);
  router.use(CODEC_PATH, (_request, response) => {
    sendProblem(response, NOTHING_ELSE);
  });
  return router;
}

/** Browsers say from which page a request comes. Programs have no page, and show a token. */
function onlyFrom(uiOrigin: string | undefined): RequestHandler {
  return (request, response, next) => {
    const origin = request.get('origin');
    response.vary('origin');
    if (origin === undefined) {
      next();
    } else if (origin !== uiOrigin) {
      sendProblem(response, FOREIGN);
    } else {
      response.set({ 'access-control-allow-origin': uiOrigin, 'access-control-allow-credentials': 'true' });
      if (request.method === 'OPTIONS') response.set(PREFLIGHT).status(204).end();
      else next();
    }
  };
}

/** `X-Namespace` is what Temporal's UI and CLI add. */
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, authorization, x-namespace',
  'access-control-max-age': '600',
};

/** Before a body is read. */
function onlyReaders(sources: ReadingSources): RequestHandler {
  return async (request, response, next) => {
    const reading = await readingOf(sources, request);
    if (reading.kind === 'reader') {
      next();
      return;
    }
    if (reading.retryAfterS !== undefined) response.set('retry-after', String(reading.retryAfterS));
    sendProblem(response, reading.message);
  };
}

function written({ metadata, data }: Awaited<ReturnType<typeof decodeFor>>[number]) {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const notes = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]);
  return { metadata: Object.fromEntries(notes) as Record<string, string>, ...(data && { data: base64(data) }) };
}

const unreadableBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  if (status < 400 || status >= 500) next(error);
  else sendProblem(response, status === 413 ? TOO_LARGE : NOT_UNDERSTOOD);
};

const FOREIGN = {
  status: 403,
  title: 'Not allowed',
  sentence: 'Expected a request of the page in console.temporal_ui, which decodes, found one of another page.',
};

const NOT_UNDERSTOOD = {
  status: 400,
  title: 'Not understood',
  sentence: `Expected payloads as Temporal's UI and CLI send them, as JSON, at most ${PAYLOADS_LIMIT} at once.`,
};

const TOO_LARGE = { status: 413, title: 'Too large', sentence: `Expected payloads of at most ${BODY_LIMIT} together.` };

const NOTHING_ELSE = {
  status: 404,
  title: 'Not found',
  sentence: `Expected POST ${CODEC_PATH}/decode: nothing is sealed here, so send inputs without this codec server.`,
};
