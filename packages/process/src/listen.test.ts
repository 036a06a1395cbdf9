import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { listen } from './listen.ts';

/** Unless it is told otherwise, Node looks for connections that exceed their limits this often. */
const NODE_LOOKS_AFTER_MS = 30_000;

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** Longer than any test takes. */
const UNLIMITED = { requestMs: 600_000 };

test('a connection that is kept alive does not hold up the stop', async () => {
  const listener = await listen((_request, response) => response.end('ok'), ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve) => {
    get(`http://${listener.address}/`, { agent }, (response) => response.resume().on('end', resolve));
  });

  await listener.close(60_000);

  agent.destroy();
});

test('a connection on which nothing was asked does not hold up the stop', async () => {
  const listener = await listen((_request, response) => response.end('ok'), ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1').resume();
  await once(socket, 'connect');

  await Promise.all([listener.close(60_000), once(socket, 'close')]);
});

test('a request that never ends is cut off when the grace is over', async () => {
  const arrived = Promise.withResolvers<undefined>();
  const listener = await listen(
    () => {
      arrived.resolve(undefined);
    },
    ANY_PORT,
    'GATEWAY_ADDRESS',
    UNLIMITED,
  );
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  const cut = once(socket, 'close');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;

  await listener.close(50);

  await cut;
});

test('connections that never finish their headers are cut off soon after the limit', async () => {
  const limits = { headersMs: 100, requestMs: 200, checkEveryMs: 50 };
  const listener = await listen(() => undefined, ANY_PORT, 'GATEWAY_ADDRESS', limits);
  const port = Number(listener.address.split(':')[1]);
  const beforeNodeLooks = AbortSignal.timeout(NODE_LOOKS_AFTER_MS / 2);

  const cut = Array.from({ length: 5 }, async () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('POST /events HTTP/1.1\r\nHost: x\r\nX-GitHub-');
    await closed(socket, beforeNodeLooks);
  });

  await Promise.all(cut).finally(() => listener.close(0));
});

/** One that is cut off while it sends may end with an error. */
async function closed(socket: Socket, signal: AbortSignal): Promise<void> {
  while (!socket.closed) await once(socket, 'close', { signal }).catch(() => signal.throwIfAborted());
}

/** Node's own limit for headers is a minute. */
const BEFORE_NODE_WOULD_MS = 50_000;

test.each([
  ['half their headers', 'POST /events HTTP/1.1\r\nHost: x\r\nX-GitHub-'],
  ['nothing', ''],
])(
  'of two thousand connections that send %s and read nothing, none stays open for as long as Node would keep it',
  async (_what, sent) => {
    const answering = Promise.withResolvers<IncomingMessage>();
    const listener = await listen(answering.resolve, ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
    const port = Number(listener.address.split(':')[1]);
    const asking = connect(port, '127.0.0.1', () => asking.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    const server = serverOf(await answering.promise);

    const sockets = await Promise.all(Array.from({ length: 2_000 }, () => aConnection(port, sent)));
    const opened = performance.now();
    while (performance.now() < opened + BEFORE_NODE_WOULD_MS && (await openAt(server)) > 1) await pause(100);

    expect(await openAt(server)).toBe(1);
    for (const socket of [asking, ...sockets]) socket.destroy();
    await listener.close(0);
  },
);

async function aConnection(port: number, sent: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

/** Which only a request tells. */
const serverOf = ({ socket }: IncomingMessage) => (socket as unknown as { readonly server: Server }).server; // Of Node.

const openAt = (server: Server) => promisify(server.getConnections.bind(server))();

test('whoever is refused for being slow still reads why, and its connection ends though it keeps its own side open', async () => {
  const limits = { headersMs: 100, requestMs: 200, checkEveryMs: 50 };
  const listener = await listen(() => undefined, ANY_PORT, 'GATEWAY_ADDRESS', limits);
  const socket = connect({ port: Number(listener.address.split(':')[1]), host: '127.0.0.1', allowHalfOpen: true });
  socket.write('POST /events HTTP/1.1\r\nHost: x\r\nX-GitHub-');

  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  const cut = once(socket, 'error');
  while (!socket.errored) {
    socket.write('more');
    await pause(20);
  }
  await cut;
  await listener.close(0);
});

test('a request whose address or headers are too long is refused with a sentence, and its connection closed', async () => {
  const listener = await listen((_request, response) => response.end('ok'), ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
  const filters = Array.from({ length: 10_000 }, (_, index) => `filter-${index}=1`).join('&');

  const answer = await fetch(`http://${listener.address}/?${filters}`);

  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ status: 400, detail: expect.stringContaining('at most 16 KiB') });
  await listener.close(0);
});

test('what is no request is refused, and others are answered as ever', async () => {
  const listener = await listen((_request, response) => response.end('ok'), ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1').setEncoding('utf8');
  const text = once(socket, 'data');
  socket.write('nonsense\r\n\r\n');

  expect(String(await text)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  await once(socket, 'close');
  expect(await (await fetch(`http://${listener.address}/`)).text()).toBe('ok');
  await listener.close(0);
});

test('nothing is put into an answer that is under way', async () => {
  const listener = await listen(
    (_request, response) => response.write('one, ', () => undefined),
    ANY_PORT,
    'GATEWAY_ADDRESS',
    UNLIMITED,
  );
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (data: string) => (text += data));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'close');

  expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
  await listener.close(0);
});

test('an address that is taken is a problem of the configuration', async () => {
  const listener = await listen(() => undefined, ANY_PORT, 'GATEWAY_ADDRESS', UNLIMITED);
  const port = Number(listener.address.split(':')[1]);

  const second = listen(() => undefined, { host: '127.0.0.1', port }, 'GATEWAY_ADDRESS', UNLIMITED);

  await expect(second).rejects.toMatchObject({
    code: 'CONFIGURATION',
    problems: [
      {
        path: 'GATEWAY_ADDRESS',
        message: expect.stringMatching(/^expected an address to listen on, found 127.0.0.1:\d+ .*EADDRINUSE/),
      },
    ],
  });
  await listener.close(0);
});
