import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** An answer is read by then. A client who reads nothing, or keeps its own side open, would keep the connection. */
const READ_MS = 250;

/**
 * Answers what is no request, as Node would, but with a sentence: whoever sends an address that is too long learns why. Then the
 * connection ends, whatever its client does. One on which an answer is under way ends without another.
 */
export function refuseBroken(server: Server): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && !answering.has(socket)) endAfter(answerTo(error.code), socket);
    else socket.destroy();
  });
}

function endAfter(answer: string, socket: Duplex): void {
  const cutOff = setTimeout(() => socket.destroy(), READ_MS);
  socket.once('close', () => {
    clearTimeout(cutOff);
  });
  socket.end(answer);
}

function answerTo(code: string | undefined): string {
  const { status, reason, detail } = (code === undefined ? undefined : REFUSED[code]) ?? NO_REQUEST;
  const body = JSON.stringify({ type: 'about:blank', title: reason, status, detail });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

interface Refused {
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

const NO_REQUEST: Refused = { status: 400, reason: 'Bad Request', detail: 'Expected a request of HTTP/1.1.' };

/** By Node's code. */
const REFUSED: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: {
    status: 400,
    reason: 'Bad Request',
    detail: 'Expected an address and headers of at most 16 KiB together, found more.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    detail: 'Expected the whole request sooner.',
  },
};
