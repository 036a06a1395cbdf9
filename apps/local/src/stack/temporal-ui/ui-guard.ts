/**
 * Stands before Temporal's UI. The UI answers whatever name it is asked by, so a page whose own name leads to this machine could start
 * workflows. The guard passes on requests that name this machine, and the UI has an address that nobody guesses.
 */
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomInt } from 'node:crypto';
import { freePort } from '@nereid/test-kit';

export interface UiPlace {
  readonly host: string;
  readonly port: number;
}

/** Linux has 16 million addresses of its own machine; other systems have one. */
export async function chooseUiPlace(platform: NodeJS.Platform = process.platform): Promise<UiPlace> {
  const part = () => randomInt(1, 255);
  return { host: platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1', port: await freePort() };
}

/** Listens on this port of 127.0.0.1. */
export async function guardUi(port: number, place: UiPlace): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (isNamedHere(request.headers.host, port)) passOn(request, response, place);
    else response.writeHead(421, { 'content-type': 'text/plain' }).end(`Open http://127.0.0.1:${port}\n`);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isNamedHere(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

function passOn(request: IncomingMessage, response: ServerResponse, { host, port }: UiPlace): void {
  const { method, url, headers } = request;
  const upstream = ask({ host, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end("Temporal's UI does not answer\n");
  });
  response.once('close', () => upstream.destroy());
  request.pipe(upstream);
}
