import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readTemporalConfig } from '../temporal/temporal-config.ts';
import { createTemporalProbe } from '../temporal/temporal-probe.ts';
import { Client, type Connection } from '@temporalio/client';
import type { IntakeInput } from '@nereid/domain/intake';
import { connectionUntilDeadline } from './connection-until-deadline.ts';
import { createStartIntake } from './start-intake.ts';

const INPUT: IntakeInput = {
  body: {
    version: 1,
    delivery: 'a-delivery',
    receivedAt: '2026-01-01T00:00:00Z',
    event: {
      kind: 'push',
      repository: { owner: 'acme', name: 'infra', installationId: 1 },
      branch: 'main',
      before: '0'.repeat(40),
      after: 'a'.repeat(40),
      forced: false,
      sender: 'alice',
    },
  },
  signature: 'of the gateway',
};

/** The product waits longer; what is tested is that the deadline ends every wait. */
const DEADLINE_MS = 200;

let silent: Server;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  silent = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('a Temporal that is not there is given up at the deadline', async () => {
  const port = portOf(silent);
  silent.close();
  await once(silent, 'close');

  expect(await startWith(port)).toMatchObject({ kind: 'unavailable' });
});

test('a Temporal that takes the connection and never answers is given up at the deadline, and may have the event', async () => {
  expect(await startWith(portOf(silent))).toMatchObject({ kind: 'unavailable', nothingStarted: false });
});

test('readiness does not wait for a Temporal that never answers', async () => {
  const connection = connectionTo(portOf(silent));

  expect(await createTemporalProbe(connection, DEADLINE_MS)()).toBe(false);
  await connection.close();
});

test('readiness asks Temporal once, however many ask', async () => {
  let calls = 0;
  const connection = connectionTo(portOf(silent));
  const probe = createTemporalProbe({
    workflowService: connection.workflowService,
    withDeadline: () => {
      calls += 1;
      return Promise.reject(new Error('away'));
    },
  });

  const answers = [...(await Promise.all([probe(), probe()])), await probe()];

  expect({ answers, calls }).toEqual({ answers: [false, false, false], calls: 1 });
  await connection.close();
});

async function startWith(port: number): Promise<unknown> {
  const connection = connectionTo(port);
  try {
    return await createStartIntake(new Client({ connection }), DEADLINE_MS)(INPUT);
  } finally {
    await connection.close();
  }
}

function connectionTo(port: number): Connection {
  const read = readTemporalConfig({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return connectionUntilDeadline(read.config);
}

function portOf(server: Server): number {
  // A TCP server that listens has an address of this kind.
  return (server.address() as AddressInfo).port;
}
