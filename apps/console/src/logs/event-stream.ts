import { once } from 'node:events';
import type { Response } from 'express';

/** Server-sent events, one response. */
export interface EventStream {
  /** Waits while the browser is slower than the log. `id` is what the browser asks to go on from. */
  send(event: string, fields: object, id?: string): Promise<void>;
  end(): void;
}

/** Proxies close what is silent for a minute, some for half of it. */
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
      // Aborted while it waits: the browser is gone.
      if (!response.write(message)) await once(response, 'drain', { signal }).catch(() => undefined);
    },
    end() {
      clearInterval(keepAlive);
      response.end();
    },
  };
}
