/** Somebody who knows no secret sends as much as they can. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aPush } from './events/payload.fixture.ts';
import { deliver } from './gateway.fixture.ts';
import { gatewayEnvironment, startGatewayProcess, type GatewayProcess } from './process.fixture.ts';

const SENDERS = 100;
const MIB = 1024 * 1024;
const BODY = Buffer.alloc(24 * MIB, ' ');

/** A gateway at rest has some 130 MiB. All senders together would take 2,400. */
const PEAK_LIMIT_MIB = 500;

let folder: string;
let gateway: GatewayProcess;
let sockets: Socket[];

beforeEach(() => {
  sockets = [];
  folder = mkdtempSync(join(tmpdir(), 'nereid-flood-'));
  const file = join(folder, 'nereid.server.yaml');
  const storage = 'storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';
  writeFileSync(file, `repositories: [{ match: nobody/* }]\n${storage}\n`);
  gateway = startGatewayProcess(gatewayEnvironment(file));
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  gateway.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('a hundred unfinished bodies of 24 MiB take a fraction of that memory, and webhooks are answered meanwhile', async () => {
  const { address } = await gateway.logged('listening');
  const [host = '', port = ''] = String(address).split(':');

  const sent = Array.from({ length: SENDERS }, async () => {
    const socket = connect(Number(port), host);
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect').catch(() => undefined);
    const signature = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`;
    const headers = `Host: x\r\nX-GitHub-Event: push\r\nX-GitHub-Delivery: d\r\n${signature}`;
    socket.write(`POST /events HTTP/1.1\r\n${headers}\r\nContent-Length: ${BODY.length + 1}\r\n\r\n`);
    // All but the last byte. Whoever is cut off sends no more.
    await Promise.race([new Promise((resolve) => socket.write(BODY, resolve)), once(socket, 'close')]).catch(
      () => undefined,
    );
  });
  await pause(500);
  const response = await deliver(`http://${host}:${port}`, 'push', aPush());
  await Promise.all(sent);

  // Its repository is not allowed, so nothing follows.
  expect(response.status).toBe(202);
  expect(peakMiB()).toBeLessThan(PEAK_LIMIT_MIB);
});

function peakMiB(): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
