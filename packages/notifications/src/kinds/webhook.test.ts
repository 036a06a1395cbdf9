import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { createTestAuthority } from '@nereid/test-kit';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { endless, openReceiver, silence, status, type Receiver } from '@nereid/test-kit/receiver';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aNotification } from '../fixtures/a-notification.ts';
import { openDestination } from '../open-destination.ts';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

const folder = folderOfEachTest();
let secretFile: string;
let receiver: Receiver;

beforeEach(async () => {
  secretFile = join(folder, 'secret');
  await writeFile(secretFile, `${SECRET}\n`);
  receiver = await openReceiver();
});

afterEach(() => receiver.close());

/** A receiver that answers may be slow on a busy machine. */
const PATIENCE_MS = 60_000;

const send = (url = `${receiver.url}/hook`, answerMs = PATIENCE_MS) =>
  openDestination({ target: { kind: 'webhook', url, secretFile } }, { answerMs }).send(aNotification(), {
    isAnnounced: true,
  });

test('a notification arrives whole, and its signature is that of Standard Webhooks', async () => {
  expect(await send()).toEqual({ kind: 'delivered' });

  const { method, path, headers, body } = receiver.first();
  expect([method, path]).toEqual(['POST', '/hook']);
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(aNotification()); // Each once.
});

test('each attempt has the same id, by which a receiver drops what it has seen', async () => {
  receiver.meet(status(500));
  await send();
  await send();

  const [first, second] = receiver.received().map(({ headers }) => headers['webhook-id']);
  expect(first).toEqual(second);
});

test.each([
  ['429 with a pause', status(429, '', { 'retry-after': '7' }), { kind: 'later', retryAfterMs: 7_000 }],
  ['500', status(500), { kind: 'later', reason: 'answered 500' }],
  ['503 for a day', status(503, '', { 'retry-after': '86400' }), { kind: 'later', retryAfterMs: 3_600_000 }],
  ['404', status(404, 'a secret'), { kind: 'refused', reason: 'answered 404' }],
])('an answer of %s decides whether it is tried again', async (_what, answer, expected) => {
  receiver.always(answer);

  expect(await send()).toMatchObject(expected);
});

test('a receiver that never answers is tried again', async () => {
  receiver.always(silence);

  expect(await send(receiver.url, 300)).toEqual({ kind: 'later', reason: 'no answer (TimeoutError)' });
});

test('a redirect is not followed, wherever it leads', async () => {
  const inside = await openReceiver();
  receiver.always(status(307, '', { location: `${inside.url}/latest/meta-data` }));

  expect(await send()).toEqual({ kind: 'refused', reason: 'answered 307: redirects are not followed' });
  expect(inside.received()).toEqual([]);
  await inside.close();
});

test('an answer without end is not read', async () => {
  receiver.always(endless);

  expect(await send()).toEqual({ kind: 'delivered' });
});

test('where nobody listens, it is tried again', async () => {
  const gone = await openReceiver();
  await gone.close();

  expect(await send(gone.url)).toEqual({ kind: 'later', reason: 'no answer (ECONNREFUSED)' });
});

test('a server whose certificate this machine does not trust gets nothing, and the answer says what to do', async () => {
  const { certificate, key } = await (await createTestAuthority()).issue();
  const received: string[] = [];
  const server = createServer({ cert: certificate, key }, ({ url }, response) => {
    received.push(url ?? '');
    response.end();
  }).listen(0);
  await once(server, 'listening');

  const answer = await send(`https://localhost:${(server.address() as AddressInfo).port}/`); // Of TCP.

  expect(answer).toMatchObject({ kind: 'later', reason: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(received).toEqual([]);
  server.close();
});

test.each([
  ['is missing', undefined],
  ['holds something else', 'hunter2'],
])('a secret that %s is an answer that says so without it, and nothing is sent', async (_how, text) => {
  if (text === undefined) await rm(secretFile);
  else await writeFile(secretFile, text);

  const answer = await send();

  expect(answer).toMatchObject({ kind: 'later', reason: expect.stringContaining(secretFile) });
  expect(JSON.stringify(answer)).not.toContain('hunter2');
  expect(receiver.received()).toEqual([]);
});
