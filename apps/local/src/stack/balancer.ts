/** One address for several servers, as a load balancer has it: each connection goes to the next server that takes it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer extends AsyncDisposable {
  readonly port: number;
}

/** The servers are ports of this machine. A client whom none of them takes is hung up on. */
export async function startBalancer(servers: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    client.on('error', () => undefined);
    turn += 1;
    const first = turn % servers.length;
    lead(client, [...servers.slice(first), ...servers.slice(0, first)]);
  });

  function lead(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    keep(upstream);
    const refused = () => {
      lead(client, others);
    };
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused).on('error', () => client.destroy());
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected the balancer to have a port');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
