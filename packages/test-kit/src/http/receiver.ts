/** A real HTTP server that receives events, and answers as it is told to. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: Received) => void;

export interface Receiver {
  readonly url: string;
  /** The next requests are answered so, one each; then every one with 204. */
  meet(...answers: readonly Answer[]): void;
  /** Every request is answered so from now on. */
  always(answer: Answer): void;
  received(): readonly Received[];
  /** Throws when there is none. */
  first(): Received;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let queued: Answer[] = [];
  let usual: Answer = status(204);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const each = { method, path: url, headers, body };
      received.push(each);
      (queued.shift() ?? usual)(response, each);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of TCP, because that is what it listens on.
  return {
    url: `http://127.0.0.1:${port}`,
    meet: (...answers) => {
      queued = [...answers];
    },
    always: (answer) => {
      usual = answer;
    },
    received: () => received,
    first() {
      const [one] = received;
      if (one === undefined) throw new Error('expected a request, found none');
      return one;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export function status(code: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(code, headers).end(body);
  };
}

/** Takes the request, and never says a word. */
export const silence: Answer = () => undefined;

/** Says that all is well, and never stops talking. */
export const endless: Answer = (response) => {
  response.writeHead(200);
  const talk = () => {
    while (response.write('x'.repeat(65_536)));
  };
  response.on('drain', talk).on('error', () => undefined);
  talk();
};
