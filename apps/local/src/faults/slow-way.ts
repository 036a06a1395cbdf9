/** A way to a server that takes its time: what the server answers arrives later. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface SlowWay {
  /** Opens the way to the server. Answers the address to use in the place of its own. */
  to(endpoint: string): Promise<string>;
  /** From now on each piece of an answer arrives so much later than it was sent: at first at once. */
  slowDown(ms: number): void;
  /** How many pieces arrived later than they were sent. */
  latePieces(): number;
  /** Ends what is on its way, too. */
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
    // Answers are small, so nobody is asked to send less while they wait.
    const later = inOrder();
    upstream.on('data', (piece) => {
      if (delayMs > 0) latePieces += 1;
      later(delayMs, () => client.write(piece));
    });
    upstream.once('end', () => {
      later(delayMs, () => client.end());
    });
  });

  /** Whoever hangs up first ends both: an answer that is on its way then is nobody's any more. */
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
      if (address === null || typeof address === 'string') throw new Error('expected that the way has a port');
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

/** What came first is done first, also where what comes behind it has to wait for less. */
function inOrder(): (ms: number, act: () => void) => void {
  let before: Promise<unknown> = Promise.resolve();
  return (ms, act) => {
    before = Promise.all([before, pause(ms)]).then(act);
  };
}
