import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { listen, type Listener } from './listen.ts';

const LIMIT = 3;

/** The beginning of a request, the rest of its headers, and a request whose body never ends. */
const BEGUN = 'GET / HTTP/1.1\r\nHost: x\r\n';
const REST = '\r\n';
const UNFINISHED = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf';

let listener: Listener;
let sockets: Socket[];
let answering: ServerResponse[];

beforeEach(() => {
  sockets = [];
  answering = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listener.close(0);
});

/** Answers at once, but a POST never. */
const answersAll: RequestListener = ({ method }, response) => {
  if (method !== 'POST') response.end('answered');
};

async function open(app: RequestListener, limits: { readonly unreadMs?: number } = {}): Promise<void> {
  listener = await listen(app, { host: '127.0.0.1', port: 0 }, 'GATEWAY_ADDRESS', {
    requestMs: 600_000,
    connections: LIMIT,
    ...limits,
  });
}

async function aConnection(sent = ''): Promise<Socket> {
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent);
  return socket;
}

/** Whether the server still answers on it. */
async function isOpen(socket: Socket, sent: string): Promise<boolean> {
  if (socket.closed) return false;
  socket.write(sent);
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return String(answer).includes('answered');
}

const CLOSING = 'Connection: close\r\n\r\n';

test('beyond the limit, the connection that has said nothing for the longest is cut off', async () => {
  await open(answersAll);

  const first = await aConnection();
  const second = await aConnection(BEGUN);
  const third = await aConnection();
  const cut = once(first.resume(), 'close');
  const fourth = await aConnection();
  await cut;

  expect(await isOpen(second, REST)).toBe(true);
  for (const socket of [third, fourth]) expect(await isOpen(socket, `${BEGUN}${REST}`)).toBe(true);
});

test('a connection whose body never ends is cut off like one that says nothing', async () => {
  await open(answersAll);

  const first = await aConnection(UNFINISHED);
  const cut = once(first.resume(), 'close');
  for (let more = 0; more < LIMIT; more += 1) await aConnection();

  await cut;
});

test('one that was answered has to wait again from then on', async () => {
  await open(answersAll);

  const first = await aConnection();
  const second = await aConnection();
  expect(await isOpen(first, `${BEGUN}${REST}`)).toBe(true);
  const cut = once(second.resume(), 'close');
  for (let more = 1; more < LIMIT; more += 1) await aConnection();
  await cut;

  expect(await isOpen(first, `${BEGUN}${REST}`)).toBe(true);
});

test('requests that are being answered are answered, and it is the newcomer who goes', async () => {
  const arrived = Promise.withResolvers<undefined>();
  await open((_request, response) => {
    answering.push(response);
    if (answering.length === LIMIT) arrived.resolve(undefined);
  });
  const asked = Array.from({ length: LIMIT }, () => aConnection(`${BEGUN}${CLOSING}`));
  const answers = (await Promise.all(asked)).map((socket) => text(socket));
  await arrived.promise;

  const newcomer = await aConnection();
  await once(newcomer.resume(), 'close');
  for (const response of answering) response.end('answered');

  for (const answer of answers) expect(await answer).toContain('answered');
});

/** More than the buffers of both ends hold. */
const LARGE = Buffer.alloc(64 * 1_024 * 1_024);

test('a client who does not read the answer is cut off, and one who has nothing to read stays', async () => {
  const cut = Promise.withResolvers<undefined>();
  await open(
    ({ url }, response) => {
      if (url === '/large') {
        response.once('close', () => {
          cut.resolve(undefined);
        });
        response.end(LARGE);
      } else {
        answering.push(response);
        response.write('began');
      }
    },
    { unreadMs: 100 },
  );
  const follower = await aConnection(`${BEGUN}${CLOSING}`);
  await once(follower, 'data');

  const unread = await aConnection(`GET /large HTTP/1.1\r\nHost: x\r\n\r\n`);
  await cut.promise;
  const [followed] = answering;
  followed?.end('answered');

  expect(unread.bytesRead).toBeLessThan(LARGE.length);
  expect(await text(follower)).toContain('answered');
});
