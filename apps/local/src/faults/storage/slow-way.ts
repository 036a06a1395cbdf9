/** A slow way to a server: the server's answers arrive late. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface SlowWay {
  /** Opens the way to the server. Returns the address to use in place of the server's own. */
  to(endpoint: string): Promise<string>;
  /** Delays each piece of an answer by this time from now on. At first there is no delay. */
  slowDown(ms: number): void;
  /** How many pieces arrived later than they were sent. */
  latePieces(): number;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

export function createSlowWay(): SlowWay {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let latePieces = 0;
  let target = { hostname: '', port: 0 };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.hostname);
    endTogether(client, upstream);
    client.pipe(upstream);
    // Answers are small, so there is no need for back pressure while they wait.
    const later = inOrder();
    upstream.on('data', (piece) => {
      if (delayMs > 0) latePieces += 1;
      later(delayMs, () => client.write(piece));
    });
    upstream.once('end', () => {
      later(delayMs, () => client.end());
    });
  });

  /** A client that hangs up, or an error on either side, ends both connections: nobody waits for the answer any more. */
  function endTogether(client: Socket, upstream: Socket): void {
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.once('error', () => other.destroy());
    }
    client.once('close', () => upstream.destroy());
  }

  return {
    async to(endpoint) {
      const { hostname, port } = new URL(endpoint);
      target = { hostname, port: Number(port) };
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('expected the way to have a port');
      return `http://127.0.0.1:${address.port}`;
    },
    slowDown(ms) {
      delayMs = ms;
    },
    latePieces: () => latePieces,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Runs the actions in the order in which they came, even when a later one has a shorter delay. */
function inOrder(): (ms: number, act: () => void) => void {
  let before: Promise<unknown> = Promise.resolve();
  return (ms, act) => {
    before = Promise.all([before, pause(ms)]).then(act);
  };
}
