import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONTROL_QUEUE, WORKFLOW, type IntakeInput } from '@nereid/contracts';
import { freePort } from '@nereid/test-kit';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { readTemporalConfig } from '@nereid/process';
import { Client, Connection } from '@temporalio/client';
import { connectionUntilDeadline } from './connection-until-deadline.ts';
import { createStartIntake } from './start-intake.ts';

/** Far more than a worker takes at once. */
const WAITING = 100;

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

/** The product waits longer; here it is certain that nobody is there. */
const GIVEN_UP_MS = 200;

let environment: WorkflowEnvironment;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
});

afterAll(() => environment.close());

test('an event becomes an intake workflow with the id of its delivery', async () => {
  const started = await createStartIntake(environment.client)(aDelivery('first'));

  const workflow = await environment.client.workflow.getHandle('delivery/first').describe();
  expect(started).toEqual({ kind: 'accepted' });
  expect(workflow).toMatchObject({ type: 'intake', taskQueue: 'deploy' });
});

test('a delivery that is being worked on is a duplicate', async () => {
  const startIntake = createStartIntake(environment.client);
  await startIntake(aDelivery('running'));

  expect(await startIntake(aDelivery('running'))).toEqual({ kind: 'duplicate' });
});

test('a delivery whose workflow failed is taken again', async () => {
  const startIntake = createStartIntake(environment.client);
  await startIntake(aDelivery('failed'));
  await environment.client.workflow.getHandle('delivery/failed').terminate();

  expect(await startIntake(aDelivery('failed'))).toEqual({ kind: 'accepted' });
});

test('a lane goes before all events that wait for a worker, however many came before it', async () => {
  const startIntake = createStartIntake(environment.client);
  for (let index = 0; index < WAITING; index += 1) await startIntake(aDelivery(`waiting-${index}`));
  const args = [{ repository: REPOSITORY, rootName: 'network' }];
  await environment.client.workflow.start(WORKFLOW.deploy, { workflowId: 'lane', taskQueue: CONTROL_QUEUE, args });
  const begun: string[] = [];
  const activities = {
    takePush: async () => (begun.push('intake'), { kind: 'nothing', sentence: 'nothing', workflows: [] }),
    readLane: async () => (begun.push('lane'), { kind: 'read', stored: null }),
  };

  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities });
  await worker.runUntil(async () => {
    while (begun.length <= WAITING) await setTimeout(20);
  });

  expect(begun.indexOf('lane')).toBeLessThan(WAITING / 2);
});

test('Temporal is found again when it is back, without a restart', async () => {
  const port = await freePort();
  const connection = connectionTo(`127.0.0.1:${port}`);
  const client = new Client({ connection, namespace: environment.namespace });
  const whileAway = await createStartIntake(client, GIVEN_UP_MS)(aDelivery('patient'));
  const temporal = await forward(port);

  const whenBack = await createStartIntake(client)(aDelivery('patient'));

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

function aDelivery(delivery: string): IntakeInput {
  return {
    version: 1,
    delivery,
    receivedAt: '2026-01-01T00:00:00Z',
    event: {
      kind: 'push',
      repository: REPOSITORY,
      branch: 'main',
      before: '0'.repeat(40),
      after: 'a'.repeat(40),
      forced: false,
      sender: 'alice',
    },
  };
}
