import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server: anybody can open one and say nothing. Beyond the limit, the connection that has kept the
 * server waiting for a complete request the longest is cut off, so that clients who send theirs at once still come through.
 * Connections whose request is being answered stay; if all are of this kind, the newcomer goes.
 */
export function limitConnections(server: Server, most: number): void {
  /** The latest request of each, if it is not answered yet; those that have waited the longest come first. */
  const open = new Map<Socket, IncomingMessage | undefined>();

  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    if (open.size > most) cutOffOne(open);
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
}

function cutOffOne(open: Map<Socket, IncomingMessage | undefined>): void {
  for (const [socket, request] of open) {
    if (request?.complete) continue;
    open.delete(socket);
    socket.destroy();
    return;
  }
}
