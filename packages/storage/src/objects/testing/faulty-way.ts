/** A way to a server on which some requests meet a fault before or behind the server; all others pass. */
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  /** None. */
  | { readonly kind: 'pass' }
  /** This is the answer, and the server hears nothing of the request. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** There is no answer, and the server hears nothing of the request. */
  | { readonly kind: 'silence' }
  /** The server does what it is asked, and the connection ends instead of its answer. */
  | { readonly kind: 'lost' }
  /** The server's answer is cut off after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The server's answer stops after so many bytes of the body, and its connection stays. */
  | { readonly kind: 'stall'; readonly afterBytes: number };

export interface Seen {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly contentRange: string | undefined;
}

export interface FaultyWay {
  readonly endpoint: string;
  /** The next requests meet these faults, one each. */
  meet(...faults: readonly Fault[]): void;
  /** Every request meets this fault from now on, or none. */
  always(fault: Fault | undefined): void;
  /** Requests since the last call. */
  requests(): readonly Seen[];
  close(): Promise<void>;
}

export async function openFaultyWay(target: string): Promise<FaultyWay> {
  const { hostname, port } = new URL(target);
  let queued: Fault[] = [];
  let everywhere: Fault | undefined;
  let seen: Seen[] = [];

  const server = createServer((incoming, outgoing) => {
    const { method = '', headers } = incoming;
    seen.push({ method, authorization: headers.authorization, contentRange: headers['content-range'] });
    const fault = queued.shift() ?? everywhere;
    if (fault?.kind === 'silence') incoming.resume();
    else if (fault?.kind === 'answer') answer(incoming, outgoing, fault);
    else pass(incoming, outgoing, fault);
  });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
    const { method, url: path, headers } = incoming;
    const onwards = send({ hostname, port, method, path, headers }, (response) => {
      if (fault?.kind === 'lost') {
        response.resume().once('end', () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      if (fault?.kind === 'cut' || fault?.kind === 'stall') void passPart(response, outgoing, fault);
      else response.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    incoming.pipe(onwards);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // An address of TCP, because that is what it listens on.
  const { port: own } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${own}`,
    meet: (...faults) => {
      queued = [...faults];
    },
    always: (fault) => {
      everywhere = fault;
    },
    requests: () => {
      const all = seen;
      seen = [];
      return all;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers = {}, body = '' }: Fault & { kind: 'answer' },
): void {
  // Like a server, it reads the request first.
  incoming.resume().once('end', () => outgoing.writeHead(status, headers).end(body));
}

async function passPart(
  response: IncomingMessage,
  outgoing: ServerResponse,
  { kind, afterBytes }: Fault & { kind: 'cut' | 'stall' },
): Promise<void> {
  let left = afterBytes;
  outgoing.flushHeaders();
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (left > 0) outgoing.write(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  if (kind === 'cut') outgoing.socket?.end(() => outgoing.destroy());
}
