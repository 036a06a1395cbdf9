/** Somebody who knows no secret sends as much as they can. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { aPush } from './events/payload.fixture.ts';
import { deliver } from './gateway.fixture.ts';
import { gatewayEnvironment, startGatewayProcess, type GatewayProcess } from './process.fixture.ts';

const SENDERS = 100;
const MIB = 1024 * 1024;
const BODY = Buffer.alloc(24 * MIB, ' ');

/** A gateway at rest has some 130 MiB. All senders together would take 2,400. */
const PEAK_LIMIT_MIB = 500;

/** Together they take what bodies may take, and each less than a large push. */
const UNFINISHED = 940;
const UNFINISHED_BYTES = 70 * 1024;

/** What five of them left behind would exceed the limit of memory. */
const FLOODS = 5;

/** Twice as many as the gateway keeps open. */
const SILENT = 2_000;

/** A thousand connections, and the files that a gateway has at rest: some 40. */
const OPEN_LIMIT = 1_200;

/** Node's own limit for headers is 60 s. Ours is 10. */
const BEFORE_NODE_WOULD_MS = 50_000;

const folder = folderOfEachTest();
let gateway: GatewayProcess;
let sockets: Socket[];

beforeEach(() => {
  sockets = [];
  const file = join(folder, 'nereid.server.yaml');
  const storage = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';
  writeFileSync(file, `repositories: [{ match: nobody/* }]\n${storage}\n`);
  gateway = startGatewayProcess(gatewayEnvironment(file));
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  gateway.child.kill('SIGKILL');
});

test('of two thousand connections that never finish their headers, half stay, for ten seconds, and webhooks are answered meanwhile', async () => {
  const { address } = await gateway.logged('listening');
  const [host = '', port = ''] = String(address).split(':');

  const opened = Array.from({ length: SILENT }, async () => {
    const socket = connect(Number(port), host).resume();
    sockets.push(socket);
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST /events HTTP/1.1\r\nHost: x\r\nX-GitHub-');
    await Promise.race([once(socket, 'connect'), closed]);
    return { closed };
  });
  const connections = await Promise.all(opened);
  const response = await deliver(`http://${host}:${port}`, 'push', aPush());
  const open = openFiles();

  expect(response.status).toBe(202);
  expect(open).toBeLessThan(OPEN_LIMIT);
  const tooLong = once(AbortSignal.timeout(BEFORE_NODE_WOULD_MS), 'abort').then(() => 'still open');
  expect(await Promise.race([Promise.all(connections.map(({ closed }) => closed)), tooLong])).not.toBe('still open');
  expect(peakMiB()).toBeLessThan(PEAK_LIMIT_MIB);
});

test('a hundred unfinished bodies of 24 MiB take a fraction of that memory, and webhooks are answered meanwhile', async () => {
  const { address } = await gateway.logged('listening');
  const [host = '', port = ''] = String(address).split(':');

  const sent = Array.from({ length: SENDERS }, () => sendUnfinished(host, port, BODY.length));
  await pause(500);
  const response = await deliver(`http://${host}:${port}`, 'push', aPush());
  await Promise.all(sent);

  // Its repository is not allowed, so nothing follows.
  expect(response.status).toBe(202);
  expect(peakMiB()).toBeLessThan(PEAK_LIMIT_MIB);
});

test('of many bodies that are never finished, older ones make room for a larger webhook', async () => {
  const { address } = await gateway.logged('listening');
  const [host = '', port = ''] = String(address).split(':');
  const large = { ...aPush(), padding: ' '.repeat(3 * UNFINISHED_BYTES) };

  const sent = Array.from({ length: UNFINISHED }, () => sendUnfinished(host, port, UNFINISHED_BYTES));
  await Promise.all(sent);
  const response = await deliver(`http://${host}:${port}`, 'push', large);

  expect(response.status).toBe(202);
});

test('a flood that comes again and again takes no more memory than one', async () => {
  const { address } = await gateway.logged('listening');
  const [host = '', port = ''] = String(address).split(':');

  for (let flood = 0; flood < FLOODS; flood += 1) {
    await Promise.all(Array.from({ length: SENDERS }, () => sendUnfinished(host, port, BODY.length)));
    for (const socket of sockets.splice(0)) socket.destroy();
  }
  const response = await deliver(`http://${host}:${port}`, 'push', aPush());

  expect(response.status).toBe(202);
  expect(peakMiB()).toBeLessThan(PEAK_LIMIT_MIB);
});

/** All but the last byte of a body. A sender that is cut off sends no more. */
async function sendUnfinished(host: string, port: string, bytes: number): Promise<void> {
  const socket = connect(Number(port), host);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect').catch(() => undefined);
  const signature = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`;
  const headers = `Host: x\r\nX-GitHub-Event: push\r\nX-GitHub-Delivery: d\r\n${signature}`;
  socket.write(`POST /events HTTP/1.1\r\n${headers}\r\nContent-Length: ${bytes + 1}\r\n\r\n`);
  const written = new Promise((resolve) => socket.write(BODY.subarray(0, bytes), resolve));
  await Promise.race([written, once(socket, 'close')]).catch(() => undefined);
}

function peakMiB(): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

function openFiles(): number {
  return readdirSync(`/proc/${gateway.child.pid}/fd`).length;
}
