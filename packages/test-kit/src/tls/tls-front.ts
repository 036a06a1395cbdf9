import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer, type TLSSocket } from 'node:tls';
import type { TestCertificate } from './certificates.ts';

export interface TlsFrontOptions extends TestCertificate {
  /** `host:port` of the server behind, which speaks HTTP/2 without TLS. */
  readonly target: string;
  /** Default: a free one. */
  readonly port?: number;
  /** PEM: only clients with a certificate of this authority get through. */
  readonly clientAuthority?: string;
}

export interface TlsFront extends AsyncDisposable {
  readonly port: number;
}

/** TLS in front of a server that has none, on 127.0.0.1. */
export async function startTlsFront(options: TlsFrontOptions): Promise<TlsFront> {
  const { target, certificate, key, clientAuthority, port = 0 } = options;
  const sockets = new Set<TLSSocket>();
  const server = createServer({
    cert: certificate,
    key,
    ALPNProtocols: ['h2'],
    ...(clientAuthority !== undefined && { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    const { hostname, port } = new URL(`http://${target}`);
    const behind = connect(Number(port), hostname);
    // A connection that breaks off is the end of both halves, and no failure of the test.
    pipeline(socket, behind, socket).catch(() => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has an address of this kind.
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
