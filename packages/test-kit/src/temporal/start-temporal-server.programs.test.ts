import { beforeAll, expect, test } from '@jest/globals';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../background/free-port.ts';
import { ServerStartError } from '../background/server.ts';
import { folderOfThisFile } from '../testing/folders.ts';
import { findDevServer } from './find-dev-server.ts';
import { startTemporalServer, type TemporalServer } from './start-temporal-server.ts';

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');

const folder = folderOfThisFile();
let program: string;

beforeAll(async () => {
  program = await findDevServer({ env: process.env, report: () => undefined });
});

test('a server with a file still has its workflows after a restart', async () => {
  const databaseFile = path.join(folder, 'temporal.sqlite');
  const first = await startTemporalServer({ program, logFile: path.join(folder, 'first.log'), databaseFile });
  await startWorkflow(first, 'acme/infra||network');
  await first.stop();

  const second = await startTemporalServer({ program, logFile: path.join(folder, 'second.log'), databaseFile });

  expect(await statusOf(second, 'acme/infra||network')).toBe('RUNNING');
  await second.stop();
});

test('a server with its web UI serves it', async () => {
  const ui = { host: '127.0.0.1', port: await freePort() };
  const server = await startTemporalServer({ program, logFile: path.join(folder, 'ui.log'), ui });

  expect((await answerOf(`http://${ui.host}:${ui.port}`)).ok).toBe(true);
  await server.stop();
});

test('nobody is answered by the HTTP API, whose port any page of a browser could reach', async () => {
  const logFile = path.join(folder, 'http.log');
  const httpPort = await freePort();
  const server = await startTemporalServer({ program, logFile, httpPort });

  const answer = await answerOf(`http://127.0.0.1:${httpPort}/api/v1/namespaces`);
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Host not allowed')]);
  await server.stop();
});

test('a port that is taken is an error with what the server said', async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;

  const start = startTemporalServer({ program, logFile: path.join(folder, 'taken.log'), port });

  await expect(start).rejects.toThrow(ServerStartError);
  await expect(start).rejects.toThrow(/address already in use|can't set frontend port/);
  other.close();
});

/** A server takes workflows a moment before it listens for anything else. */
async function answerOf(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return answer;
    await pause(20);
  }
}

async function startWorkflow({ address }: TemporalServer, workflowId: string): Promise<void> {
  await withClient(address, (client) =>
    client.workflow.start('deploy', {
      ...{ workflowId, taskQueue: 'deploy' },
      typedSearchAttributes: [{ key: REPOSITORY, value: 'acme/infra' }],
    }),
  );
}

function statusOf({ address }: TemporalServer, workflowId: string): Promise<string> {
  return withClient(address, async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
