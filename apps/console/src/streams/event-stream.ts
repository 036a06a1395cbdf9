import { once } from 'node:events';
import type { Response } from 'express';

/** One response that carries server-sent events. */
export interface EventStream {
  /** Waits while the browser is slower than the log. A browser that reconnects sends the last `id` to go on from there. */
  send(event: string, fields: object, id?: string): Promise<void>;
  end(): void;
}

/** Proxies close a connection that is silent for a minute, some after half a minute. */
const KEEP_ALIVE_MS = 15_000;

export function openEventStream(response: Response, signal: AbortSignal): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
  signal.addEventListener('abort', () => {
    clearInterval(keepAlive);
  });

  return {
    async send(event, fields, id) {
      if (signal.aborted) return;
      const message = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(fields)}\n\n`;
      // The wait fails only when the stream is over, which is no error.
      if (!response.write(message)) await once(response, 'drain', { signal }).catch(() => undefined);
    },
    end() {
      clearInterval(keepAlive);
      response.end();
    },
  };
}
