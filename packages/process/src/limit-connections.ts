import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** How many connections may be open at a time. */
  readonly connections: number;
  /** How long a client may read nothing of what is sent to it. */
  readonly unreadMs: number;
}

export interface OpenConnections {
  /** Cuts off those on which nothing was asked that is not answered. */
  closeUnused(): void;
}

/**
 * Bounds the connections of a server: anybody can open one and say nothing. Beyond the limit, the connection that has kept the
 * server waiting for a complete request the longest is cut off, so that clients who send theirs at once still come through.
 * Connections whose request is being answered stay while their clients read; if all are of this kind, the newcomer goes.
 */
export function limitConnections(server: Server, { connections, unreadMs }: ConnectionLimits): OpenConnections {
  /** The latest request of each, if it is not answered yet; those that have waited the longest come first. */
  const open = new Map<Socket, IncomingMessage | undefined>();

  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    if (open.size > connections) cutOffOne(open);
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (open.has(socket)) open.set(socket, request);
    response.once('close', () => {
      if (open.get(socket) !== request) return;
      open.delete(socket);
      open.set(socket, undefined);
    });
  });
  // Nothing was sent or received for this long, or for as long as Node keeps a connection alive after an answer.
  server.setTimeout(unreadMs, (socket) => {
    const hasNothingToRead = open.get(socket) !== undefined && socket.writableLength === 0;
    if (!hasNothingToRead) socket.destroy();
  });
  return {
    closeUnused() {
      for (const [socket, request] of open) if (request === undefined) socket.destroy();
    },
  };
}

function cutOffOne(open: Map<Socket, IncomingMessage | undefined>): void {
  for (const [socket, request] of open) {
    if (request?.complete) continue;
    open.delete(socket);
    socket.destroy();
    return;
  }
}
