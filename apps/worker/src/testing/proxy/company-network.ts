/**
 * A network as companies have them: names that only its proxy knows, and servers whose certificates are of an authority of its
 * own. What reaches one of them went through the proxy, because no DNS has their names.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createTestAuthority } from '@nereid/test-kit';

const DOMAIN = 'company.example';

export interface CompanyNetwork extends AsyncDisposable {
  readonly proxyUrl: string;
  /** The file with the authority. */
  readonly authority: string;
  /** `https://<name>.company.example`. */
  urlOf(name: string): string;
  /** `host:port` of each CONNECT since the last call. */
  connected(): readonly string[];
  /** `<name> <path>` of each request that came through TLS since the last call. */
  requested(): readonly string[];
}

/** Requests to a name go to the server that `behind` has for it, which speaks plain HTTP; others are answered with 404. */
export async function openCompanyNetwork(
  folder: string,
  behind: Readonly<Record<string, string>>,
): Promise<CompanyNetwork> {
  const authority = await createTestAuthority();
  const file = join(folder, 'authority.pem');
  await writeFile(file, authority.certificate);
  const { certificate: cert, key } = await authority.issue({ name: `*.${DOMAIN}` });
  let connected: string[] = [];
  let requested: string[] = [];

  const front = createTlsServer({ cert, key }, (incoming, outgoing) => {
    const name = (incoming.headers.host ?? '').split('.')[0] ?? '';
    requested.push(`${name} ${incoming.url ?? ''}`);
    passOn(behind[name], incoming, outgoing);
  });
  const frontPort = await listen(front);

  const tunnels = new Set<Duplex>();
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url = '' }: IncomingMessage, socket, head: Buffer) => {
    connected.push(url);
    const [host = '', port = ''] = url.split(':');
    // What is no name of the company is where it says.
    const onwards = host.endsWith(DOMAIN) ? connect(frontPort, '127.0.0.1') : connect(Number(port), host);
    // The server forgets a connection that became a tunnel, and would wait for it at its end.
    for (const each of [socket, onwards]) tunnels.add(each);
    onwards.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onwards.write(head);
      onwards.pipe(socket).pipe(onwards);
    });
    for (const each of [socket, onwards]) each.on('error', () => [socket, onwards].forEach((both) => both.destroy()));
  });
  const proxyPort = await listen(proxy);

  return {
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    authority: file,
    urlOf: (name) => `https://${name}.${DOMAIN}`,
    connected: () => {
      const each = connected;
      connected = [];
      return each;
    },
    requested: () => {
      const each = requested;
      requested = [];
      return each;
    },
    async [Symbol.asyncDispose]() {
      for (const each of tunnels) each.destroy();
      await Promise.all([close(front), close(proxy)]);
    },
  };
}

function passOn(target: string | undefined, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (target === undefined) {
    incoming.resume();
    outgoing.writeHead(404).end();
    return;
  }
  const { method, url, headers } = incoming;
  const onwards = ask(new URL(url ?? '/', target), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  onwards.on('error', () => outgoing.destroy());
  incoming.pipe(onwards);
}

async function listen(server: TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // Of TCP, because that is what it listens on.
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
