/** Consoles that are away, and servers that are none. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { aConsole, RUNNING } from '@nereid/console/testing';
import { controlThat } from './testing/fake-control.ts';
import { nereid, nereidInside, startNereid } from './testing/run.ts';

const DEPLOY = ['deploy', 'acme/infra', 'a'.repeat(40), 'network'];
const ACCEPTED = { id: 'x', state: 'accepted', sentence: 'Done.' };
const LANES = { items: [], counts: {}, unavailable: [] };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
});

/** A server in the place of the console; each request is answered by the next handler, and then by the last one. */
async function aServer(...handlers: readonly Handler[]) {
  const requests: { readonly method?: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const made = createServer((request, response) => {
    const handle = handlers[Math.min(requests.length, handlers.length - 1)];
    requests.push({ headers: request.headers, ...(request.method !== undefined && { method: request.method }) });
    request.resume();
    handle?.(request, response);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has this kind of address.
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, requests };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

const page =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Sign in \u001b[2J</html>');
  };

const breakOff: Handler = (request) => request.socket.destroy();

describe('a console that is away', () => {
  test('is asked again, and then told in a sentence: exit code 5', async () => {
    const console = await aServer();
    server?.close();

    const { status, stdout, stderr } = await nereid(['lanes'], { console });

    expect([status, stdout]).toEqual([5, '']);
    expect(stderr).toBe(
      `expected the console at ${console.url} to answer, found connect ECONNREFUSED ${new URL(console.url).host}; --console or NEREID_CONSOLE names another, and make demo starts one to try\n`,
    );
  });

  test('for a moment only is no failure', async () => {
    const console = await aServer(breakOff, page(503), json(LANES));

    expect(await nereidInside(['lanes'], { console })).toMatchObject({
      status: 0,
      stderr: 'No lanes, or none that you may see.\n',
    });
    expect(console.requests).toHaveLength(3);
  });

  test('gets the same write again, by the same key', async () => {
    const halfAnAnswer: Handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    };
    const console = await aServer(breakOff, halfAnAnswer, json(ACCEPTED));

    const { status, stdout } = await nereid(DEPLOY, { console });

    const keys = console.requests.map(({ headers }) => headers['idempotency-key']);
    expect([status, stdout]).toEqual([0, 'Done.\n']);
    expect(console.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  test('two writes have two keys', async () => {
    const console = await aServer(json(ACCEPTED));
    await nereidInside(DEPLOY, { console });
    await nereidInside(DEPLOY, { console });

    expect(new Set(console.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  test('that wants more patience than a person has is told at once', async () => {
    const detail = 'You asked for more than 60 things within a minute: wait a little.';
    const problem = { type: 'about:blank', title: 'Too many requests', status: 429, detail };
    const console = await aServer(json(problem, 429, { 'retry-after': '42' }));

    expect(await nereidInside(DEPLOY, { console })).toEqual({ status: 5, stdout: '', stderr: `${detail}\n` });
    expect(console.requests).toHaveLength(1);
  });

  test('whose Temporal is away does nothing, and says so', async () => {
    const control = controlThat({});
    const requests = { ...control, make: () => Promise.resolve({ kind: 'unavailable' as const }) };
    const console = await aConsole({ isLocal: true, requests, lane: { running: RUNNING } });

    const { status, stderr } = await nereidInside([...DEPLOY, '--timeout', '2s'], { console });

    // It is asked again for as long as it says.
    expect([status, stderr]).toEqual([7, expect.stringContaining('no end within 2s')]);
  });
});

describe('what stands before the console, or in its place', () => {
  test.each([
    [
      'a redirect to a login',
      page(302, { location: 'https://login.example/auth?x=1' }),
      4,
      'sends us to login.example',
    ],
    ['a refusal', page(403), 4, 'refuses us before Nereid does, found text/html (status 403)'],
    ['a page', page(200), 5, 'found text/html (status 200); this may be the page of a login proxy'],
    ['another server', page(404), 5, 'found text/html (status 404)'],
    [
      'an answer without content',
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200).end();
      },
      5,
      'found an answer without content',
    ],
  ])('is named: %s', async (_what, handler, code, sentence) => {
    const console = await aServer(handler);

    const { status, stdout, stderr } = await nereidInside(['lanes'], { console });

    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain('NEREID_PROXY_AUTHORIZATION');
    expect(stderr).not.toContain('\u001b');
  });

  test('gets what it asks for, and the console its token', async () => {
    const console = await aServer(json(LANES));
    const env = { NEREID_PROXY_AUTHORIZATION: 'Bearer for-the-proxy', NEREID_TOKEN: 'nereid_x' };

    await nereid(['lanes'], { console, env });

    expect(console.requests[0]?.headers).toMatchObject({
      'proxy-authorization': 'Bearer for-the-proxy',
      authorization: 'Bearer nereid_x',
    });
  });

  test('a redirect takes the token nowhere', async () => {
    const console = await aServer(page(307, { location: '/elsewhere' }), json(LANES));

    await nereidInside(['lanes'], { console, env: { NEREID_TOKEN: 'nereid_x' } });

    expect(console.requests).toHaveLength(1);
  });

  test.each([
    ['no JSON', '{"items":', 'found no JSON'],
    ['JSON of something else', '{"items":[{"lane":1}]}', 'found at items.0.'],
    ['a text', '"hello"', 'found at its top'],
  ])('%s is no answer: exit code 5', async (_what, body, sentence) => {
    const console = await aServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );

    expect(await nereidInside(['lanes'], { console })).toMatchObject({
      status: 5,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    });
  });

  test('a request that is not known yet is asked for again', async () => {
    const console = await aServer(
      json({ ...ACCEPTED, state: 'pending' }, 202),
      json({ type: 'about:blank', title: 'Not found', status: 404, detail: 'No such request' }, 404),
      json(ACCEPTED),
    );

    expect(await nereidInside(DEPLOY, { console, env: { NEREID_TOKEN: 'nereid_x' } })).toMatchObject({ status: 0 });
    expect(console.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  test('a place of an answer that is elsewhere is not asked', async () => {
    const pending = { ...ACCEPTED, state: 'pending' };
    const console = await aServer(json(pending, 202, { location: 'https://evil.example/' }), json(ACCEPTED));

    expect(await nereidInside(DEPLOY, { console, env: { NEREID_TOKEN: 'nereid_x' } })).toMatchObject({ status: 0 });
    expect(console.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('a log that is no log is not printed', async () => {
    const detail = { path: '/logs' };
    const console = await aServer(json(detail));

    expect(await nereidInside(['logs', RUNNING.id, 'plan'], { console })).toMatchObject({ status: 5, stdout: '' });
  });
});

test('a reader who leaves ends it quietly', async () => {
  const lane = (rootName: string) => ({ repository: 'acme/infra', rootName, state: 'idle', waiting: 0 });
  const items = Array.from({ length: 20_000 }, (_, index) => lane(`root-${index}`));
  const console = await aServer(json({ ...LANES, items }));

  const { ended, leave, prints } = startNereid(['lanes', '--json'], { console });
  await prints(/root-1/);
  leave();
  const { status, stderr } = await ended;

  expect([0, 130]).toContain(status);
  expect(stderr).toBe('');
});
