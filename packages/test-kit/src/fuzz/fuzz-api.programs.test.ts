import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { folderOfThisFile } from '../testing/folders.ts';
import { fuzzApi, installSchemathesis } from './fuzz-api.ts';

/** Sixty megabytes come over a slow line. */
const INSTALL_MS = 600_000;

const DOCUMENT = {
  openapi: '3.1.1',
  info: { title: 'Cows', version: '1' },
  paths: {
    '/cows/{id}': {
      get: {
        operationId: 'getCow',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{1,9}$' } }],
        responses: {
          200: {
            description: 'A cow.',
            content: { 'application/json': { schema: { type: 'object', required: ['name'] } } },
          },
          404: { description: 'No cow.', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  },
};

const folder = folderOfThisFile();

beforeAll(async () => {
  await installSchemathesis({ env: process.env, report: () => undefined });
}, INSTALL_MS);

test('an API whose answers are as its document says has no findings, and known values reach what is there', async () => {
  const { findings, requests, succeeded } = await fuzz((id) => (id === 'bella' ? [200, { name: 'Bella' }] : [404, {}]));

  expect(findings).toBe('');
  expect(requests).toBeGreaterThan(10);
  expect(succeeded['GET /cows/{id}']).toBeGreaterThan(0);
});

test('one that fails, or answers with a status or a body that nobody described, is found out', async () => {
  const answers: Readonly<Record<string, ReturnType<Answer>>> = {
    bella: [500, {}],
    elsa: [418, {}],
    dora: [200, { legs: 4 }],
  };

  const { findings } = await fuzz((id) => answers[id] ?? [404, {}]);

  for (const finding of ['Server error', 'Undocumented status code', 'Response violates schema'])
    expect(findings).toContain(finding);
  for (const id of Object.keys(answers)) expect(findings).toContain(`/cows/${id}`);
});

test('an API that is not there cannot be tested', async () => {
  await expect(fuzz('nobody')).rejects.toThrow('fetch failed');
});

type Answer = (id: string) => readonly [status: number, body: object];

async function fuzz(answer: Answer | 'nobody') {
  const server = createServer(listener(answer === 'nobody' ? () => [500, {}] : answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of a server that listens on a port.
  if (answer === 'nobody') server.close();
  try {
    const known = new Map([['id', ['bella', 'elsa', 'dora']]]);
    const options = {
      env: process.env,
      report: () => undefined,
      folder,
      headers: {},
      known,
      requestsEach: 40,
      seed: 1,
    };
    return await fuzzApi({ ...options, apiUrl: `http://127.0.0.1:${port}` });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function listener(answer: Answer): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any');
    const send = (status: number, body: object, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
    if (pathname === '/openapi.json') send(200, DOCUMENT);
    else if (request.method !== 'GET') send(405, {}, { allow: 'GET' });
    else send(...answer(pathname.slice('/cows/'.length)));
  };
}
