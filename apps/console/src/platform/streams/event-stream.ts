import { once } from 'node:events';
import type { Request, Response } from 'express';

/** One response that carries server-sent events. */
export interface EventStream {
  /** Waits while the client is slower than we are. A client that comes back sends the last `id`, to go on from there. */
  send(event: string, fields: object, id?: string): Promise<void>;
  /** The same for several, in one piece. */
  sendAll(messages: readonly StreamMessage[]): Promise<void>;
  /** Cuts the client off, with all that it has not read. */
  cutOff(): void;
  end(): void;
}

export interface StreamMessage {
  readonly event: string;
  /** JSON. */
  readonly data: string;
  readonly id?: string | undefined;
}

export interface EventStreamOptions {
  /** Aborted when the client is gone or the console stops. */
  readonly signal: AbortSignal;
  /** Where a client goes on from that has all that was sent. */
  readonly place?: () => string | undefined;
  /** How long a client waits before it comes back. */
  readonly retryMs?: number;
  /** For tests. */
  readonly aliveMs?: number;
}

/**
 * Proxies close a connection that is silent for a minute, some after half a minute. An event, since the script of a page sees no
 * comment: it knows by these that the other end is there.
 */
const ALIVE_MS = 15_000;

export function openEventStream(response: Response, options: EventStreamOptions): EventStream {
  const { signal, place = () => undefined, retryMs, aliveMs = ALIVE_MS } = options;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  const write = (text: string) => signal.aborted || response.write(text);
  if (retryMs !== undefined) write(`retry: ${retryMs}\n\n`);
  const alive = setInterval(() => write(textOf({ event: 'alive', data: '{}', id: place() })), aliveMs);
  signal.addEventListener('abort', () => {
    clearInterval(alive);
  });
  const sendAll = async (messages: readonly StreamMessage[]) => {
    // The wait fails only when the stream is over, which is no error.
    if (!write(messages.map(textOf).join(''))) await once(response, 'drain', { signal }).catch(() => undefined);
  };

  return {
    send: (event, fields, id) => sendAll([{ event, data: JSON.stringify(fields), id }]),
    sendAll,
    cutOff() {
      response.destroy();
    },
    end() {
      clearInterval(alive);
      response.end();
    },
  };
}

function textOf({ event, data, id }: StreamMessage): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** Aborted when the client is gone or the console stops. A client who asks for the head only gets that, and is gone. */
export function untilGone({ method }: Request, response: Response, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  if (method === 'HEAD' || response.closed) gone.abort();
  response.once('close', () => {
    gone.abort();
  });
  return AbortSignal.any([gone.signal, stopping]);
}
