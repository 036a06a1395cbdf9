import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface RefusingTemporal extends AsyncDisposable {
  /** `host:port`. */
  readonly address: string;
}

/** A Temporal that answers every call with this status of gRPC: one with an authorizer, to somebody whom it does not let in. */
export async function startRefusingTemporal(status: number, message: string): Promise<RefusingTemporal> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream) => {
    stream.resume();
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status, 'grpc-message': message },
      { endStream: true },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has an address of this kind.
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const session of sessions) session.destroy();
      await once(server, 'close');
    },
  };
}
