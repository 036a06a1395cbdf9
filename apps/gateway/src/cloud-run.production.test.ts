/** The gateway under the limits of Cloud Run: no processor between requests, connections that end meanwhile, ten seconds to stop. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findTemporalCli, startTemporalServer, type TemporalServer } from '@nereid/test-kit';
import { aPush } from './events/payload.fixture.ts';
import { answerOf, deliver } from './gateway.fixture.ts';
import { gatewayEnvironment, startGatewayProcess, type GatewayProcess } from './process.fixture.ts';

const SERVER = `repositories: [{ match: Codertocat/* }]
storage: { deployments: "s3://records", plans: "s3://plans", logs: "s3://logs" }
`;

/** Cloud Run sends SIGKILL so long after SIGTERM. */
const STOPS_WITHIN_MS = 10_000;

let folder: string;
let temporal: TemporalServer;
let way: WayToTemporal;
let gateway: GatewayProcess;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cloud-run-'));
  const cli = await findTemporalCli({ env: process.env, report: () => undefined });
  temporal = await startTemporalServer({ cli, logFile: path.join(folder, 'temporal.log') });
  way = await openWay(temporal.address);
  const serverFile = path.join(folder, 'nereid.server.yaml');
  await writeFile(serverFile, SERVER);
  gateway = startGatewayProcess({ ...gatewayEnvironment(serverFile), TEMPORAL_ADDRESS: way.address });
  url = `http://${String((await gateway.logged('listening'))['address'])}`;
});

afterAll(async () => {
  gateway.child.kill('SIGKILL');
  way.close();
  await temporal.stop();
  await rm(folder, { recursive: true });
});

test('it takes a webhook after it stood still while its connection to Temporal ended', async () => {
  const first = await answerOf(await deliver(url, 'push', aPush()));
  gateway.child.kill('SIGSTOP');
  way.cut();

  const second = deliver(url, 'push', aPush(), { 'X-GitHub-Delivery': randomUUID() });
  gateway.child.kill('SIGCONT');

  expect([first, await answerOf(await second)]).toEqual([
    { status: 202, message: 'accepted' },
    { status: 202, message: 'accepted' },
  ]);
  expect(way.connections()).toBeGreaterThan(1);
});

test('it stops by itself before it is killed, with a connection that is kept open', async () => {
  await answerOf(await deliver(url, 'push', aPush()));

  gateway.child.kill('SIGTERM');
  const kill = setTimeout(() => gateway.child.kill('SIGKILL'), STOPS_WITHIN_MS);

  expect((await gateway.ended()).code).toBe(0);
  clearTimeout(kill);
});

interface WayToTemporal {
  readonly address: string;
  /** Ends every connection, as a network does that has seen nothing of it for long. */
  cut(): void;
  /** How many there have been. */
  connections(): number;
  close(): void;
}

/** Passes everything on. */
async function openWay(to: string): Promise<WayToTemporal> {
  const [host = '', port = ''] = to.split(':');
  const open = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((from) => {
    connections += 1;
    const onwards = connect(Number(port), host);
    for (const [socket, other] of [[from, onwards] as const, [onwards, from] as const]) {
      open.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    cut,
    connections: () => connections,
    close: () => {
      cut();
      server.close();
    },
  };
}
