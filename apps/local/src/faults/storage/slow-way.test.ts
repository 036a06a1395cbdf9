import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSlowWay, type SlowWay } from './slow-way.ts';

/** Longer than the pieces behind a slow one take. */
const SLOW_MS = 200;

let server: Server;
let way: SlowWay;
let client: Socket;
let atServer: Socket;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  way = createSlowWay();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  const { port, hostname } = new URL(await way.to(`http://127.0.0.1:${address.port}`));
  const arriving = once(server, 'connection');
  client = connect(Number(port), hostname);
  // The only argument of the event is the socket.
  [atServer] = (await arriving) as [Socket];
});

afterEach(async () => {
  await way.close();
  server.close();
});

test('what was sent first arrives first, also when the way gets faster meanwhile', async () => {
  way.slowDown(SLOW_MS);
  atServer.write('slow, ');
  await untilLate();
  way.slowDown(0);
  atServer.end('fast');

  await expect(text(client)).resolves.toBe('slow, fast');
  expect(way.latePieces()).toBe(1);
});

test('who hangs up at one end is gone at the other', async () => {
  const gone = once(atServer, 'close');

  client.destroy();

  await expect(gone).resolves.toEqual([false]);
});

test('a way that is closed ends what is on its way', async () => {
  const gone = once(client, 'close');
  way.slowDown(SLOW_MS);
  atServer.write('too late');
  await untilLate();

  await way.close();

  await gone;
  expect(client.bytesRead).toBe(0);
});

async function untilLate(): Promise<void> {
  while (way.latePieces() === 0) await new Promise(setImmediate);
}
