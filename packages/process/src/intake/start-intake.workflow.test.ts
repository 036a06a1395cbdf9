import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { expect, test } from '@jest/globals';
import type { ButtonEvent, IntakeEvent, IntakeInput } from '@nereid/domain/intake';
import { freePort } from '@nereid/test-kit';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { readTemporalConfig } from '../temporal/temporal-config.ts';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { connectionUntilDeadline } from './connection-until-deadline.ts';
import { createStartIntake } from './start-intake.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

const aPush = {
  kind: 'push',
  repository: REPOSITORY,
  branch: 'main',
  before: '0'.repeat(40),
  after: 'a'.repeat(40),
  forced: false,
  sender: 'alice',
} as const;

const aPress: ButtonEvent = {
  kind: 'button',
  repository: REPOSITORY,
  checkRun: { id: 7, name: 'nereid/deploy: network', headSha: 'a'.repeat(40), externalId: 'd1', conclusion: null },
  button: { kind: 'confirm', mark: '0123456789ab' },
  sender: 'alice',
};

/** The product waits longer; here it is certain that nobody is there. */
const GIVEN_UP_MS = 200;

/** Temporal answers within two seconds; only what hangs takes minutes. */
const ANSWERED_WITHIN_MS = 120_000;

const environment = environmentOfThisFile();

test('an event becomes an intake workflow with the id of its delivery', async () => {
  const started = await createStartIntake(environment.client, ANSWERED_WITHIN_MS)(aDelivery('first'));

  const workflow = await environment.client.workflow.getHandle('delivery/first').describe();
  expect(started).toEqual({ kind: 'accepted' });
  expect(workflow).toMatchObject({ type: 'intake', taskQueue: 'deploy' });
});

test('a delivery that is being worked on is a duplicate', async () => {
  const startIntake = createStartIntake(environment.client, ANSWERED_WITHIN_MS);
  await startIntake(aDelivery('running'));

  expect(await startIntake(aDelivery('running'))).toEqual({ kind: 'duplicate' });
});

test('a delivery whose workflow failed is taken again', async () => {
  const startIntake = createStartIntake(environment.client, ANSWERED_WITHIN_MS);
  await startIntake(aDelivery('failed'));
  await environment.client.workflow.getHandle('delivery/failed').terminate();

  expect(await startIntake(aDelivery('failed'))).toEqual({ kind: 'accepted' });
});

test.each<[string, number, IntakeEvent]>([
  ['a push', 4, aPush],
  ['a press of Unlock', 4, { ...aPress, button: { kind: 'unlock' } }],
  ['a press of Confirm', 0, aPress],
])('lanes go before events that need them: %s has the priority %d', async (name, priority, event) => {
  await createStartIntake(environment.client, ANSWERED_WITHIN_MS)(aDelivery(name, event));

  const { raw } = await environment.client.workflow.getHandle(`delivery/${name}`).describe();
  expect(raw.workflowExecutionInfo?.priority?.priorityKey ?? 0).toBe(priority);
});

test('what Temporal refuses was not started', async () => {
  const { workflow } = new Client({ connection: environment.client.connection, namespace: 'none-of-this-name' });
  // It answers however late.
  const patient = { workflow, connection: { withDeadline: (_at: number, start: () => Promise<unknown>) => start() } };

  const started = await createStartIntake(patient as unknown as Client, 0)(aDelivery('refused'));

  expect(started).toMatchObject({ kind: 'unavailable', nothingStarted: true });
});

test('a namespace that Temporal does not find for a moment, as while its database is away, is asked for again', async () => {
  const namespace = `found-later-${randomUUID()}`;
  const { connection } = environment.client;
  const client = new Client({ connection, namespace });
  const first = await createStartIntake(client, GIVEN_UP_MS)(aDelivery('found-later'));

  const starting = createStartIntake(client, ANSWERED_WITHIN_MS)(aDelivery('found-later'));
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });

  expect(first.kind).toBe('unavailable');
  expect(await starting).toEqual({ kind: 'accepted' });
});

test('Temporal is found again when it is back, without a restart', async () => {
  const port = await freePort();
  const connection = connectionTo(`127.0.0.1:${port}`);
  const client = new Client({ connection, namespace: environment.namespace });
  const whileAway = await createStartIntake(client, GIVEN_UP_MS)(aDelivery('patient'));
  const temporal = await forward(port);

  const whenBack = await createStartIntake(client, ANSWERED_WITHIN_MS)(aDelivery('patient'));

  expect(whileAway).toMatchObject({ kind: 'unavailable' });
  expect(whenBack).toEqual({ kind: 'accepted' });
  await connection.close();
  await temporal.close();
});

function connectionTo(address: string): Connection {
  const read = readTemporalConfig({ TEMPORAL_ADDRESS: address });
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return connectionUntilDeadline(read.config);
}

/** Temporal's server, reachable at this port until it is closed. */
async function forward(port: number): Promise<{ close(): Promise<void> }> {
  const { connection } = environment.client;
  if (!(connection instanceof Connection)) throw new Error('expected a connection that says where it leads');
  const { hostname, port: temporalPort } = new URL(`http://${connection.options.address}`);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const temporal = connect(Number(temporalPort), hostname);
    sockets.push(socket, temporal);
    // A connection that breaks off is the end of both halves, and no failure of the test.
    pipeline(socket, temporal, socket).catch(() => undefined);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function aDelivery(delivery: string, event: IntakeEvent = aPush): IntakeInput {
  const body = { version: 1, delivery, receivedAt: '2026-01-01T00:00:00Z', event } as const;
  return { body, signature: 'of the gateway' };
}
